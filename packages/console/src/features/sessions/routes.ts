// Extension: people sign in and out. What they do then has rows in the audit trail under their address.
import { sessions } from '@rookery/contract/groups/sessions.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { passkeyPlace } from '../../flows/factors/passkeys.ts'
import type { Call } from '../../http/call.ts'
import { shownMe } from '../../http/me.ts'
import { refuseInsecure } from '../../http/person.ts'
import { clearCookie, setCookie, signedInAnswer, startSession, type Way } from '../../http/start-session.ts'
import { countRecoveryCodes, findTotp, passkeysOf } from '../../stores/factors/store.ts'
import { endSession } from '../../stores/sessions/store.ts'
import { isStillVerified, verifyPassword } from '../../stores/users/log-in.ts'
import { countUsers, findUser, type UserRow } from '../../stores/users/store.ts'
import { VERSION } from '../../version.ts'
import { trailEntry, type SessionDeps } from './deps.ts'
import { passkeyHandlers } from './passkey.ts'
import { secondStep } from './second-step.ts'

/** The same words for an unknown address, a wrong password and a person who may not sign in by one. */
const WRONG = 'The address or the password is not right.'

export function sessionsRoutes(deps: SessionDeps): Route<Call>[] {
  const { reader, writer, world, signInRateLimit, httpsUrl, tokensUrl } = deps

  /** The user with this password; who has none is counted, and noted in the trail. */
  async function verify(email: string, password: string, call: Call): Promise<UserRow> {
    const user = await signInRateLimit.attempt('password', { ...call, email }, (isKnown) =>
      verifyPassword(reader, email, password, isKnown),
    )
    if (user) return user
    // What is no user's address may be a password that was typed into the wrong field: the trail does not show it.
    const known = await findUser(reader, email)
    const entry = trailEntry(world, sessions.password, known?.email ?? '', call)
    await writer.write(
      () => Promise.resolve(),
      'care',
      () => [entry('Sign-in failed: wrong address or password.')],
    )
    throw new Fault('unauthenticated', WRONG)
  }

  /** The ways to give the factor that is missing, at this address. */
  async function factorsOf(userId: string, call: Call): Promise<Way[]> {
    const rpId = placeOf(call)?.rpId
    const known = await passkeysOf(reader, userId)
    const totp = await findTotp(reader, userId)
    return [
      ...(known.some(({ rp_id }) => rp_id === rpId) ? ['passkey' as const] : []),
      ...(totp?.confirmed === 1 ? ['totp' as const] : []),
      ...((await countRecoveryCodes(reader, userId)) > 0 ? ['recovery' as const] : []),
    ]
  }

  return implement(sessions, {
    async read(_params, call: Call) {
      const { caller, isSecure, baseUrl } = call
      const { person } = caller
      const isWhole = person?.lacks === 'nothing'
      return {
        signed_in: isWhole,
        needs_setup: person === undefined && (await countUsers(reader)) === 0,
        needs_factor: person?.lacks === 'factor',
        must_add_factor: person?.lacks === 'enrolment',
        me: person && person.lacks !== 'factor' ? shownMe(person) : null,
        ways:
          person?.lacks === 'factor'
            ? await factorsOf(person.userId, call)
            : ['password' as const, ...(placeOf(call) ? ['passkey' as const] : [])],
        console: {
          version: VERSION,
          is_secure: isSecure,
          https_url: httpsUrl(baseUrl) ?? null,
          public_url: isWhole ? baseUrl : null,
          tokens_url: isWhole ? tokensUrl : null,
        },
      }
    },
    async password({ email, password }, call: Call) {
      refuseInsecure(call, httpsUrl(call.baseUrl))
      const user = await verify(email.trim(), password, call)
      const entry = trailEntry(world, sessions.password, user.email, call)
      const { person: before } = call.caller
      const started = await writer.write(
        async (tx) => {
          if (!(await isStillVerified(tx, user))) throw new Fault('unauthenticated', WRONG)
          if (before) await endSession(tx.query, before.sessionId)
          return startSession(tx, world, user, call)
        },
        'care',
        ({ needsFactor }) => [
          entry(
            needsFactor
              ? 'Gave the right password; the second factor is still missing.'
              : 'Signed in with a password.',
          ),
        ],
      )
      setCookie(call, started)
      return signedInAnswer(started, started.needsFactor ? await factorsOf(user.user_id, call) : [])
    },
    ...secondStep(deps),
    ...passkeyHandlers(deps),
    async end(_params, call: Call) {
      const { person } = call.caller
      if (person) {
        const entry = trailEntry(world, sessions.end, person.email, call)
        await writer.write(
          (tx) => endSession(tx.query, person.sessionId),
          'care',
          () => [entry('Signed out.')],
        )
      }
      clearCookie(call)
      return {}
    },
  })
}

/** Where a passkey can work; undefined by plain HTTP and at a bare address. */
const placeOf = ({ host, isSecure }: Call) => (isSecure ? passkeyPlace(host) : undefined)
