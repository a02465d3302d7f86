// Signing in by a passkey: alone, as the second step, or to prove again who one is.
import { sessions } from '@rookery/contract/groups/sessions.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { Fault, required } from '@rookery/kernel/fault.ts'
import { openPasskeys, passkeyPlace, type PasskeyPlace } from '../../flows/factors/passkeys.ts'
import type { Call } from '../../http/call.ts'
import {
  renewHalves,
  setCookie,
  signedInAnswer,
  startSession,
  type StartedSession,
} from '../../http/start-session.ts'
import { findPasskey, passkeysOf, takeSignature } from '../../stores/factors/store.ts'
import { endSession } from '../../stores/sessions/store.ts'
import { findUserById } from '../../stores/users/store.ts'
import { trailEntry, type SessionDeps } from './deps.ts'

const WRONG_PASSKEY = 'This passkey does not open an account here, or the try took too long.'

export function passkeyHandlers(deps: SessionDeps) {
  const { reader, writer, world, signInRateLimit } = deps
  const passkeys = openPasskeys(deps)

  async function passkeyOptions(_params: unknown, call: Call) {
    const place = placeOf(call)
    const { person } = call.caller
    if (!person) return { options: { ...(await passkeys.authentication(place)) } }
    const known = (await passkeysOf(reader, person.userId)).filter(({ rp_id }) => rp_id === place.rpId)
    required(known[0], `You have no passkey for ${place.rpId}.`)
    return { options: { ...(await passkeys.authentication(place, known)) } }
  }

  async function passkeyVerify({ response }: Params<typeof sessions.passkeyVerify>, call: Call) {
    const place = placeOf(call)
    const { person } = call.caller
    const found = await findPasskey(reader, String(response['id']).slice(0, 1_400))
    const passkey = found?.rp_id === place.rpId ? found : undefined
    const owner = passkey && (await findUserById(reader, passkey.user_id))
    // A second step is that of the person who gave the password.
    const isOwn = person?.userId === owner?.user_id
    const mayOpen =
      owner?.disabled === 0 && owner.no_direct_login === 0 && (isOwn || person?.lacks !== 'factor')
    const entry = trailEntry(world, sessions.passkeyVerify, owner?.email ?? '', call)
    const look = async (): Promise<StartedSession | undefined> => {
      const taken = passkey && mayOpen ? await passkeys.verify(place, passkey, response) : undefined
      return writer.write(
        async (tx) => {
          if (!taken || !passkey) return undefined
          const now = world.clock.now()
          if (!(await takeSignature(tx.query, passkey.passkey_id, { ...taken, now }))) return undefined
          if (person && isOwn) return renewHalves(tx, world, person)
          if (person) await endSession(tx.query, person.sessionId)
          return startSession(tx, world, passkey, call, { isFactorGiven: true })
        },
        'care',
        (started) => [
          entry(
            !started
              ? 'Sign-in failed: a passkey that does not count.'
              : person && isOwn && person.lacks === 'nothing'
                ? 'Proved again who they are, with a passkey.'
                : 'Signed in with a passkey.',
          ),
        ],
      )
    }
    const started = await signInRateLimit.attempt('signature', { ...call, email: owner?.email ?? '' }, look)
    if (!started) throw new Fault('unauthenticated', WRONG_PASSKEY)
    setCookie(call, started)
    return signedInAnswer(started)
  }

  return { passkeyOptions, passkeyVerify }
}

function placeOf({ host, isSecure }: Call): PasskeyPlace {
  const place = isSecure ? passkeyPlace(host) : undefined
  if (place) return place
  throw new Fault(
    'bad-input',
    `A passkey works where the console is opened by name and by HTTPS (or at localhost), not at ${host}.`,
  )
}
