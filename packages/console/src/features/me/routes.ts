// Extension: one's own account. Second factors stand in factors.ts.
import { me } from '@rookery/contract/groups/me.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { invalidParameter, required } from '@rookery/kernel/fault.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { refuseInsecure } from '../../http/person.ts'
import type { SignInRateLimit } from '../../http/sign-in-rate-limit.ts'
import { hashPassword } from '../../secrets/passwords.ts'
import { readPreferences, storePreferences, type Preferences } from '../../stores/preferences/store.ts'
import { endSession, endSessionsOf, sessionsOf } from '../../stores/sessions/store.ts'
import { signInRules } from '../../stores/settings/sign-in.ts'
import { readSettings } from '../../stores/settings/store.ts'
import { removeTicketsOf } from '../../stores/tickets/store.ts'
import { checkPassword } from '../../stores/users/create.ts'
import { isStillVerified, verifyPassword } from '../../stores/users/log-in.ts'
import { changeUser } from '../../stores/users/store.ts'
import { factorHandlers } from './factors.ts'
import { passkeyHandlers } from './passkeys.ts'
import { signedInPerson } from './person.ts'

interface MeDeps extends Pick<AppContext, 'reader' | 'config' | 'vault' | 'world' | 'log' | 'passwordCost'> {
  /** Where who asked at this address reaches the console by HTTPS; undefined if that is not known. */
  readonly httpsUrl: (askedUrl: string) => string | undefined
  readonly signInRateLimit: SignInRateLimit
}

export function meRoutes(deps: MeDeps): Route<Call>[] {
  const { reader, config, world, passwordCost, httpsUrl, signInRateLimit } = deps
  const rules = async () => signInRules(await config.get('settings', readSettings))

  return implement(me, {
    ...factorHandlers(deps),
    ...passkeyHandlers(deps),
    async password({ password, new_password }, call: Call) {
      refuseInsecure(call, httpsUrl(call.baseUrl))
      const { userId, email, sessionId } = signedInPerson(call)
      const user = await signInRateLimit.attempt('password', { ...call, email }, () =>
        verifyPassword(reader, email, password, true),
      )
      const wrong = invalidParameter('password', 'is not your present password')
      if (user?.user_id !== userId) throw wrong
      await checkPassword(new_password, email, 'new_password')
      const password_hash = await hashPassword(world.random, new_password, passwordCost)
      return call.change(async (tx) => {
        if (!(await isStillVerified(tx, user))) throw wrong
        await changeUser(tx.query, userId, { password_hash })
        await removeTicketsOf(tx.query, userId)
        return { ended: await endSessionsOf(tx.query, userId, sessionId) }
      })
    },
    async sessions(_params, call: Call) {
      const { userId, sessionId } = signedInPerson(call)
      const all = await sessionsOf(reader, userId, world.clock.now(), await rules())
      return {
        sessions: all.map((it) => ({
          session_id: it.session_id,
          is_current: it.session_id === sessionId,
          created: epoch(it.created_at),
          used: epoch(it.used_at),
          address: it.address,
          user_agent: it.user_agent,
        })),
      }
    },
    async endSessions({ session_id }, call: Call) {
      const { userId, sessionId } = signedInPerson(call)
      return call.change(async (tx) => {
        if (session_id === undefined) return { ended: await endSessionsOf(tx.query, userId, sessionId) }
        const own = await sessionsOf(tx.query, userId, world.clock.now(), await rules())
        required(
          own.find((it) => it.session_id === session_id),
          'You have no such session; it may have ended.',
        )
        await endSession(tx.query, session_id)
        return { ended: 1 }
      })
    },
    preferences: async (_params, call: Call) =>
      shown(await readPreferences(reader, signedInPerson(call).userId)),
    prefer: ({ theme, zone, keys }, call: Call) =>
      call.change(async (tx) => {
        const { userId } = signedInPerson(call)
        if (zone) checkZone(zone)
        const before = await readPreferences(tx.query, userId)
        const now: Preferences = {
          theme: theme ?? before.theme,
          zone: zone ?? before.zone,
          single_keys: keys === undefined ? before.single_keys : Number(keys),
        }
        await storePreferences(tx, userId, now)
        return shown(now)
      }),
  })
}

const shown = ({ theme, zone, single_keys }: Preferences) => ({ theme, zone, keys: single_keys === 1 })

function checkZone(zone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    throw invalidParameter(
      'zone',
      `must be a time zone, such as Europe/Berlin, not ${JSON.stringify(zone.slice(0, 64))}`,
    )
  }
}
