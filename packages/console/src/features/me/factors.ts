// Second factors of one's own account: the authenticator app and recovery codes. Passkeys stand in
// passkeys.ts.
import type { me } from '@rookery/contract/groups/me.ts'
import type { Handlers } from '@rookery/contract/implement.ts'
import { Fault, invalidParameter, required } from '@rookery/kernel/fault.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import { takeTotp } from '../../flows/factors/take.ts'
import { newTotpSecret, totpUri } from '../../flows/factors/totp.ts'
import type { Call } from '../../http/call.ts'
import type { SignInRateLimit } from '../../http/sign-in-rate-limit.ts'
import {
  countRecoveryCodes,
  findTotp,
  passkeysOf,
  removeTotp,
  storeTotp,
  totpPlace,
} from '../../stores/factors/store.ts'
import { findUserById, hasFactor } from '../../stores/users/store.ts'
import { newCodes, noteAdded, noteRemoved } from './note-factor.ts'
import { signedInPerson } from './person.ts'

export interface FactorDeps extends Pick<AppContext, 'reader' | 'vault' | 'world' | 'log'> {
  readonly signInRateLimit: SignInRateLimit
}

const WRONG_CODE = 'is not the code that the app shows now; check the clock of its device'

export function factorHandlers(deps: FactorDeps) {
  const { reader, vault, world, signInRateLimit } = deps

  return {
    async factors(_params, call: Call) {
      const { userId } = signedInPerson(call)
      const totp = await findTotp(reader, userId)
      const known = await passkeysOf(reader, userId)
      return {
        totp: totp?.confirmed === 1,
        passkeys: known.map(({ passkey_id, name, rp_id, created_at, used_at }) => ({
          passkey_id,
          name,
          rp_id,
          created: epoch(created_at),
          used: used_at === null ? null : epoch(used_at),
        })),
        recovery_codes: await countRecoveryCodes(reader, userId),
      }
    },
    async beginTotp(_params, call: Call) {
      const { userId, email } = signedInPerson(call)
      const secret = newTotpSecret(world)
      await call.change(async (tx) => {
        if ((await findTotp(tx.query, userId))?.confirmed === 1)
          throw new Fault('conflict', 'An authenticator app is set up already. Remove it first.')
        await storeTotp(tx, {
          user_id: userId,
          sealed_secret: vault.seal(secret, totpPlace(userId)),
          last_step: 0,
          confirmed: 0,
          created_at: world.clock.now(),
        })
      })
      return { uri: totpUri(secret, email), secret }
    },
    async confirmTotp({ code }, call: Call) {
      const person = signedInPerson(call)
      const begun = await findTotp(reader, person.userId)
      if (begun?.confirmed !== 0)
        throw new Fault('conflict', 'No authenticator app waits for its first code. Begin first.')
      const look = () =>
        call
          .change(async (tx) => {
            if (!(await takeTotp(tx, deps, person.userId, code, 0)))
              throw invalidParameter('code', WRONG_CODE)
            return noteAdded(tx, world, person)
          })
          .catch((error: unknown) => {
            if (error instanceof Fault && error.code === 'bad-input') return undefined
            throw error
          })
      const codes = await signInRateLimit.attempt('code', { ...call, email: person.email }, look)
      if (!codes) throw invalidParameter('code', WRONG_CODE)
      return codes
    },
    removeTotp: (_params, call: Call) =>
      call.change(async (tx) => {
        const person = signedInPerson(call)
        required(await findTotp(tx.query, person.userId), 'There is no authenticator app to remove.')
        await removeTotp(tx.query, person.userId)
        return noteRemoved(tx, person)
      }),
    renewRecoveryCodes: (_params, call: Call) =>
      call.change(async (tx) => {
        const { userId } = signedInPerson(call)
        const user = await findUserById(tx.query, userId)
        if (!user || !hasFactor(user))
          throw new Fault('conflict', 'Recovery codes stand in for a second factor: add one first.')
        return newCodes(tx, world, userId)
      }),
  } satisfies Partial<Handlers<typeof me, Call>>
}
