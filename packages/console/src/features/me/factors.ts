// Second factors of one's own account: the authenticator app, passkeys, recovery codes.
import type { me } from '@rookery/contract/groups/me.ts'
import type { Handlers } from '@rookery/contract/implement.ts'
import { Fault, invalidParameter, required } from '@rookery/kernel/fault.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { openPasskeys, passkeyPlace, type PasskeyPlace } from '../../flows/factors/passkeys.ts'
import { newRecoveryCodes, printCode } from '../../flows/factors/recovery-codes.ts'
import { takeTotp } from '../../flows/factors/take.ts'
import { newTotpSecret, totpUri } from '../../flows/factors/totp.ts'
import type { Call } from '../../http/call.ts'
import type { Person } from '../../http/person.ts'
import type { SignInRateLimit } from '../../http/sign-in-rate-limit.ts'
import {
  addPasskey,
  countRecoveryCodes,
  findPasskey,
  findTotp,
  noteFactors,
  passkeysOf,
  removePasskey,
  removeTotp,
  storeRecoveryCodes,
  storeTotp,
  totpPlace,
} from '../../stores/factors/store.ts'
import { signInRules } from '../../stores/settings/sign-in.ts'
import { readSettings } from '../../stores/settings/store.ts'
import { findUserById, hasFactor } from '../../stores/users/store.ts'
import { signedInPerson } from './person.ts'

interface FactorDeps extends Pick<AppContext, 'reader' | 'vault' | 'world' | 'log'> {
  readonly signInRateLimit: SignInRateLimit
}

/** Passkeys of one person. */
const MOST_PASSKEYS = 20
const WRONG_CODE = 'is not the code that the app shows now; check the clock of its device'

export function factorHandlers(deps: FactorDeps) {
  const { reader, vault, world, signInRateLimit } = deps
  const passkeys = openPasskeys(deps)

  /** Ten recovery codes with the first factor; none with a further one. */
  async function added(tx: Tx, { userId }: Person): Promise<{ recovery_codes: string[] }> {
    const user = await findUserById(tx.query, userId)
    const isFirst = user !== undefined && !hasFactor(user)
    await noteFactors(tx, userId)
    return isFirst ? newCodes(tx, userId) : { recovery_codes: [] }
  }

  async function newCodes(tx: Tx, userId: string): Promise<{ recovery_codes: string[] }> {
    const codes = newRecoveryCodes(world.random)
    await storeRecoveryCodes(tx, userId, codes)
    return { recovery_codes: codes.map(printCode) }
  }

  async function removed(tx: Tx, { userId }: Person): Promise<Record<string, never>> {
    const { isFactorRequired } = signInRules(await readSettings(tx.query))
    if (!(await noteFactors(tx, userId)) && isFactorRequired)
      throw new Fault('conflict', 'Everybody needs a second factor here: add another one first.')
    return {}
  }

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
            return added(tx, person)
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
        return removed(tx, person)
      }),
    async passkeyOptions(_params, call: Call) {
      const { userId, email } = signedInPerson(call)
      const place = placeOf(call)
      const known = await passkeysOf(reader, userId)
      return { options: { ...(await passkeys.registration(place, { user_id: userId, email }, known)) } }
    },
    async addPasskey({ response, name }, call: Call) {
      const person = signedInPerson(call)
      const place = placeOf(call)
      const made = await passkeys.register(place, person.userId, response)
      return call.change(async (tx) => {
        if (await findPasskey(tx.query, made.passkey_id))
          throw new Fault('conflict', 'This passkey was added already.')
        if ((await passkeysOf(tx.query, person.userId)).length >= MOST_PASSKEYS)
          throw new Fault('conflict', `There are ${MOST_PASSKEYS} passkeys already. Remove one first.`)
        const rest = { name: name.trim(), created_at: world.clock.now(), used_at: null }
        await addPasskey(tx, { ...made, ...rest, user_id: person.userId, rp_id: place.rpId })
        return added(tx, person)
      })
    },
    removePasskey: ({ passkey_id }, call: Call) =>
      call.change(async (tx) => {
        const person = signedInPerson(call)
        const had = await removePasskey(tx.query, person.userId, passkey_id)
        required(had || undefined, 'You have no such passkey.')
        return removed(tx, person)
      }),
    renewRecoveryCodes: (_params, call: Call) =>
      call.change(async (tx) => {
        const { userId } = signedInPerson(call)
        const user = await findUserById(tx.query, userId)
        if (!user || !hasFactor(user))
          throw new Fault('conflict', 'Recovery codes stand in for a second factor: add one first.')
        return newCodes(tx, userId)
      }),
  } satisfies Partial<Handlers<typeof me, Call>>
}

function placeOf({ host, isSecure }: Call): PasskeyPlace {
  const place = isSecure ? passkeyPlace(host) : undefined
  if (place) return place
  throw new Fault(
    'bad-input',
    `Open this console by name, with HTTPS (or at localhost): a passkey cannot be made for ${host}.`,
  )
}
