// Passkeys of one's own account.
import type { me } from '@rookery/contract/groups/me.ts'
import type { Handlers } from '@rookery/contract/implement.ts'
import { Fault, required } from '@rookery/kernel/fault.ts'
import { openPasskeys, passkeyPlace, type PasskeyPlace } from '../../flows/factors/passkeys.ts'
import type { Call } from '../../http/call.ts'
import { addPasskey, findPasskey, passkeysOf, removePasskey } from '../../stores/factors/store.ts'
import type { FactorDeps } from './factors.ts'
import { noteAdded, noteRemoved } from './note-factor.ts'
import { signedInPerson } from './person.ts'

/** Passkeys of one person. */
const MAX_PASSKEYS = 20

export function passkeyHandlers(deps: FactorDeps) {
  const { reader, world } = deps
  const passkeys = openPasskeys(deps)

  return {
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
        if ((await passkeysOf(tx.query, person.userId)).length >= MAX_PASSKEYS)
          throw new Fault('conflict', `There are ${MAX_PASSKEYS} passkeys already. Remove one first.`)
        const rest = { name: name.trim(), created_at: world.clock.now(), used_at: null }
        await addPasskey(tx, { ...made, ...rest, user_id: person.userId, rp_id: place.rpId })
        return noteAdded(tx, world, person)
      })
    },
    removePasskey: ({ passkey_id }, call: Call) =>
      call.change(async (tx) => {
        const person = signedInPerson(call)
        const had = await removePasskey(tx.query, person.userId, passkey_id)
        required(had || undefined, 'You have no such passkey.')
        return noteRemoved(tx, person)
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
