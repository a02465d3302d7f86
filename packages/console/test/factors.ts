// Second factors of a test's people: an app that shows codes, recovery codes, a passkey.
import { Secret, TOTP } from 'otpauth'
import type { EngineName } from '../src/db/query.ts'
import { makePasskey, signWith, type Passkey } from './authenticator.ts'
import { manualClock } from './manual-clock.ts'
import { addPerson, askAs, signIn, type Halves, type PersonAnswer } from './person.ts'
import { openTestConsole, type TestConsole } from './test-console.ts'

/** A name of the loopback: passkeys work at names alone. */
export const originOf = ({ console: { apiUrl = '' } }: TestConsole): string =>
  apiUrl.replace('127.0.0.1', 'localhost')
export const atName = (rookery: TestConsole) => {
  const origin = originOf(rookery)
  return { Host: new URL(origin).host, Origin: origin }
}

/** What the app shows, so many steps from now. */
export const codeAt = ({ console: { base } }: TestConsole, secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: base.world.clock.now() + steps * 30_000,
  })

const must = ({ status, json }: PersonAnswer): PersonAnswer['json'] => {
  if (status !== 200) throw new Error(`answered with ${status}: ${JSON.stringify(json)}`)
  return json
}

/** An app for who is signed in. The code of the step before now is used up by it. */
export async function addApp(
  rookery: TestConsole,
  halves: Halves,
): Promise<{ secret: string; codes: readonly string[] }> {
  const { secret } = must(await askAs(rookery, halves, 'POST', '/me/totp/begin')) as { secret: string }
  const code = codeAt(rookery, secret, -1)
  const answer = must(await askAs(rookery, halves, 'POST', '/me/totp/confirm', { code }))
  return { secret, codes: answer['recovery_codes'] as string[] }
}

/** Options for making a passkey or using one. */
export async function optionsOf(
  rookery: TestConsole,
  halves: Halves,
  path: string,
  headers = atName(rookery),
) {
  const { options } = must(await askAs(rookery, halves, 'POST', path, {}, headers))
  return options as { challenge: string; rp?: { id: string }; user?: { id: string }; rpId?: string }
}

/** A passkey for who is signed in. */
export async function addPasskey(
  rookery: TestConsole,
  halves: Halves,
): Promise<{ passkey: Passkey; codes: readonly string[] }> {
  const options = await optionsOf(rookery, halves, '/me/passkeys/options')
  const { passkey, response } = makePasskey(options, originOf(rookery))
  const answer = must(
    await askAs(rookery, halves, 'POST', '/me/passkeys/add', { response, name: 'Laptop' }, atName(rookery)),
  )
  return { passkey, codes: answer['recovery_codes'] as string[] }
}

/** Signs in, or steps up, with the passkey. */
export async function usePasskey(
  rookery: TestConsole,
  passkey: Passkey,
  halves: Halves = {},
): Promise<PersonAnswer> {
  const options = await optionsOf(rookery, halves, '/session/passkey/options')
  const response = signWith(passkey, options, originOf(rookery))
  return askAs(rookery, halves, 'POST', '/session/passkey/verify', { response }, atName(rookery))
}

/** The status of a call that any signed-in admin may make. */
export const reads = async (rookery: TestConsole, halves: Halves): Promise<number> =>
  (await askAs(rookery, halves, 'GET', '/incidents/rows')).status

/** Gives the code of a second step. */
export const give = (rookery: TestConsole, halves: Halves, path: string, code: string) =>
  askAs(rookery, halves, 'POST', `/session/${path}`, { code })

/** Who did what, the newest first. */
export const trail = async (rookery: TestConsole): Promise<string[]> => {
  const { json } = await rookery.get('/audit_trail/fetch')
  return (json['audit_trail'] as unknown as { user: string; message: string }[]).map(
    ({ user, message }) => `${user}: ${message}`,
  )
}

/** A console whose time the test moves, with Ann, who is signed in. */
export async function openWithAnn(engine: EngineName) {
  const clock = manualClock()
  const rookery = await openTestConsole({ engine, world: { clock } })
  await addPerson(rookery)
  const { halves } = await signIn(rookery)
  return { clock, rookery, halves }
}
