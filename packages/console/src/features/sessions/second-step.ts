// The second step of signing in, and proving again who one is: a code of the app, a recovery code, a passkey, the password.
import { sessions } from '@rookery/contract/groups/sessions.ts'
import type { Operation, Params } from '@rookery/contract/operation.ts'
import { Fault, invalidParameter, required } from '@rookery/kernel/fault.ts'
import type { Tx } from '../../db/query.ts'
import { openPasskeys, passkeyPlace, type PasskeyPlace } from '../../flows/factors/passkeys.ts'
import { takeRecovery, takeTotp } from '../../flows/factors/take.ts'
import type { Call } from '../../http/call.ts'
import { refuseInsecure, type Person } from '../../http/person.ts'
import {
  renewHalves,
  setCookie,
  signedInAnswer,
  startSession,
  type StartedSession,
} from '../../http/start-session.ts'
import { findPasskey, passkeysOf, takeSignature } from '../../stores/factors/store.ts'
import { endSession } from '../../stores/sessions/store.ts'
import { verifyPassword } from '../../stores/users/log-in.ts'
import { findUserById } from '../../stores/users/store.ts'
import { mustBeAdmin, trailEntry, type SessionDeps } from './deps.ts'

const WRONG_CODE = 'The code is not right, or was used before.'
const WRONG_PASSKEY = 'This passkey does not open an account here, or the try took too long.'

/** A way to show who one is; `take` runs inside the transaction and answers whether it holds. */
interface Proof {
  readonly operation: Operation
  readonly done: string
  readonly failed: string
  readonly take: (tx: Tx) => Promise<boolean>
  /** What is slow, and runs before the transaction. */
  readonly look?: () => Promise<boolean>
}

export function secondStep(deps: SessionDeps) {
  const { reader, writer, world, signInRateLimit, httpsUrl } = deps
  const passkeys = openPasskeys(deps)

  /** Opens the session to a person who proves themselves, with new halves; a failure counts, and stands in the trail. */
  async function prove(person: Person, call: Call, proof: Proof) {
    const { operation, done, failed, take } = proof
    refuseInsecure(call, httpsUrl(call.baseUrl))
    const entry = trailEntry(world, operation, person.email, call)
    const look = async () => {
      const isRight = (await proof.look?.()) ?? true
      return writer.write(
        async (tx) => (isRight && (await take(tx)) ? renewHalves(tx, world, person) : undefined),
        'care',
        (renewed) => [entry(renewed ? done : failed)],
      )
    }
    const renewed = await signInRateLimit.attempt(
      proof.look ? 'password' : 'code',
      { ...call, email: person.email },
      look,
    )
    if (!renewed) throw new Fault('unauthenticated', proof.look ? 'The password is not right.' : WRONG_CODE)
    return opened(call, renewed)
  }

  function opened(call: Call, started: StartedSession) {
    setCookie(call, started)
    return signedInAnswer(started)
  }

  function placeOf({ host, isSecure }: Call): PasskeyPlace {
    const place = isSecure ? passkeyPlace(host) : undefined
    if (place) return place
    throw new Fault(
      'bad-input',
      `A passkey works where the console is opened by name and by HTTPS (or at localhost), not at ${host}.`,
    )
  }

  async function stepUp({ password, code, recovery_code }: Params<typeof sessions.stepUp>, call: Call) {
    const person = signedInPerson(call)
    if ([password, code, recovery_code].filter((it) => it !== undefined).length !== 1)
      throw invalidParameter('password', 'give one of password, code and recovery_code')
    const how = password === undefined ? (code === undefined ? 'a recovery code' : 'a code') : 'the password'
    return prove(person, call, {
      operation: sessions.stepUp,
      done: `Proved again who they are, with ${how}.`,
      failed: `Did not prove who they are: wrong ${how.replace(/^an? |^the /, '')}.`,
      async take(tx) {
        if (code !== undefined) return takeTotp(tx, deps, person.userId, code)
        if (recovery_code !== undefined) return takeRecovery(tx, person.userId, recovery_code)
        return true
      },
      ...(password !== undefined && {
        async look() {
          const user = await verifyPassword(reader, person.email, password)
          return user?.user_id === person.userId
        },
      }),
    })
  }

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
    if (owner && mayOpen) mustBeAdmin(owner)
    const started = await signInRateLimit.attempt('code', { ...call, email: owner?.email ?? '' }, look)
    if (!started) throw new Fault('unauthenticated', WRONG_PASSKEY)
    return opened(call, started)
  }

  return {
    totp({ code }: Params<typeof sessions.totp>, call: Call) {
      const person = pendingPerson(call)
      return prove(person, call, {
        operation: sessions.totp,
        done: 'Signed in with a password and a code.',
        failed: 'Sign-in failed: wrong code.',
        take: (tx) => takeTotp(tx, deps, person.userId, code),
      })
    },
    recovery({ code }: Params<typeof sessions.recovery>, call: Call) {
      const person = pendingPerson(call)
      return prove(person, call, {
        operation: sessions.recovery,
        done: 'Signed in with a password and a recovery code.',
        failed: 'Sign-in failed: wrong recovery code.',
        take: (tx) => takeRecovery(tx, person.userId, code),
      })
    },
    stepUp,
    passkeyOptions,
    passkeyVerify,
  }
}

/** Who gave the password, and must still give a factor. */
function pendingPerson({ caller: { person } }: Call): Person {
  if (person?.lacks === 'factor') return person
  throw new Fault('unauthenticated', 'No sign-in waits for a code: give the password first.')
}

function signedInPerson({ caller: { person } }: Call): Person {
  if (person) return person
  throw new Fault('unauthenticated', 'Nobody is signed in.')
}
