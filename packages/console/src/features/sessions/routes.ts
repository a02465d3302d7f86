// Extension: people sign in and out. What they do then has rows in the audit trail under their address.
import { actionType } from '@rookery/contract/action-type.ts'
import { sessions } from '@rookery/contract/groups/sessions.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Operation } from '@rookery/contract/operation.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { AuditEntry } from '../../db/audit-entry.ts'
import type { Call } from '../../http/call.ts'
import { refuseInsecure, type Person } from '../../http/person.ts'
import { openSignInRateLimit } from '../../http/sign-in-rate-limit.ts'
import { clearCookie, setCookie, startSession } from '../../http/start-session.ts'
import { endSession } from '../../stores/sessions/store.ts'
import { verifyPassword } from '../../stores/users/log-in.ts'
import { countUsers, findUser, type UserRow } from '../../stores/users/store.ts'
import { VERSION } from '../../version.ts'

interface SessionDeps extends Pick<AppContext, 'reader' | 'writer' | 'world'> {
  /** Where who asked at this address reaches the console by HTTPS; undefined if that is not known. */
  readonly httpsUrl: (askedUrl: string) => string | undefined
  readonly tokensUrl: string
}

/** The same words for an unknown address, a wrong password and a person who may not sign in by one. */
const WRONG = 'The address or the password is not right.'

export function sessionsRoutes({ reader, writer, world, httpsUrl, tokensUrl }: SessionDeps): Route<Call>[] {
  const rateLimit = openSignInRateLimit(world.clock)

  const entry = (operation: Operation, message: string, actor: string, call: Call): AuditEntry => ({
    at: world.clock.now(),
    action_type: actionType(operation),
    message,
    actor,
    actor_ip: call.address,
    flock_id: '',
    flock_name: '',
  })

  /** The user with this password; who has none is counted, and noted in the trail. */
  async function verify(email: string, password: string, call: Call): Promise<UserRow> {
    const end = rateLimit.begin(email, call.address)
    let hasFailed = false
    try {
      const user = await verifyPassword(reader, email, password)
      hasFailed = user === undefined
      if (user) return user
    } finally {
      end(hasFailed)
    }
    // What is no user's address may be a password that was typed into the wrong field: the trail does not show it.
    const known = await findUser(reader, email)
    const row = entry(
      sessions.password,
      'Sign-in failed: wrong address or password.',
      known?.email ?? '',
      call,
    )
    await writer.write(
      () => Promise.resolve(),
      'care',
      () => [row],
    )
    throw new Fault('unauthenticated', WRONG)
  }

  return implement(sessions, {
    async read(_params, { caller, isSecure, baseUrl }: Call) {
      const { person } = caller
      return {
        signed_in: person !== undefined,
        needs_setup: person === undefined && (await countUsers(reader)) === 0,
        needs_factor: false,
        me: person ? meOf(person) : null,
        ways: ['password' as const],
        console: {
          version: VERSION,
          is_secure: isSecure,
          https_url: httpsUrl(baseUrl) ?? null,
          public_url: person ? baseUrl : null,
          tokens_url: person ? tokensUrl : null,
        },
      }
    },
    async password({ email, password }, call: Call) {
      refuseInsecure(call, httpsUrl(call.baseUrl))
      const user = await verify(email.trim(), password, call)
      if (user.access_level !== 'admin')
        throw new Fault(
          'forbidden',
          'Only admins can sign in yet; people who see some Flocks alone come later.',
        )
      const row = entry(sessions.password, 'Signed in with a password.', user.email, call)
      const { person: before } = call.caller
      const started = await writer.write(
        async (tx) => {
          if (before) await endSession(tx.query, before.sessionId)
          return startSession(tx, world, user, call)
        },
        'care',
        () => [row],
      )
      setCookie(call, started)
      return { page_half: started.page, needs_factor: false, me: meOf(personOf(user)) }
    },
    async end(_params, call: Call) {
      const { person } = call.caller
      if (person) {
        const row = entry(sessions.end, 'Signed out.', person.email, call)
        await writer.write(
          (tx) => endSession(tx.query, person.sessionId),
          'care',
          () => [row],
        )
      }
      clearCookie(call)
      return {}
    },
  })
}

type Shown = Omit<Person, 'sessionId'>

const personOf = (user: UserRow): Shown => ({
  userId: user.user_id,
  email: user.email,
  accessLevel: user.access_level,
})

const meOf = ({ userId, email, accessLevel }: Shown) => ({
  user_id: userId,
  email,
  access_level: accessLevel,
})
