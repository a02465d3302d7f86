// Passkeys of this browser. Their library comes when one is used.
import { call, type AnswerOf } from '../api/call.ts'
import { accountWords } from '../words/account.ts'
import { Problem } from '../problem.ts'

/** WebAuthn knows names alone, and secure contexts; undefined where a passkey can work. */
export function whyNoPasskey(): string | undefined {
  if (/^[\d.]+$|^\[/.test(location.hostname)) return accountWords.security.byName
  if (!isSecureContext) return accountWords.security.byHttps
  return 'PublicKeyCredential' in window ? undefined : accountWords.security.noWebAuthn
}

/** Signs in or steps up; answers what the console says of the session. */
export async function askPasskey(): Promise<AnswerOf<'sessions', 'passkeyVerify'>> {
  const { options } = await call('sessions', 'passkeyOptions')
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const answer = await startAuthentication({ optionsJSON }).catch(refused)
  return call('sessions', 'passkeyVerify', { response: JSON.stringify(answer) as never })
}

export async function makePasskey(name: string): Promise<AnswerOf<'me', 'addPasskey'>> {
  const { options } = await call('me', 'passkeyOptions')
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  const answer = await startRegistration({ optionsJSON }).catch(refused)
  return call('me', 'addPasskey', { response: JSON.stringify(answer) as never, name })
}

/** The person said no, or nothing answered. */
function refused(error: unknown): never {
  throw new Problem('no-passkey', accountWords.step.passkeyFailed, { cause: error })
}
