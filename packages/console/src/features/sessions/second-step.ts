// The second step of signing in, and proving again who one is: a code of the app, a recovery code, the password.
// Passkeys stand in passkey.ts.
import { sessions } from '@rookery/contract/groups/sessions.ts'
import type { Operation, Params } from '@rookery/contract/operation.ts'
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import type { Tx } from '../../db/query.ts'
import { takeRecovery, takeTotp } from '../../flows/factors/take.ts'
import type { Call } from '../../http/call.ts'
import { refuseInsecure, type Person } from '../../http/person.ts'
import type { Guessed } from '../../http/sign-in-rate-limit.ts'
import { renewHalves, setCookie, signedInAnswer } from '../../http/start-session.ts'
import { verifyPassword } from '../../stores/users/log-in.ts'
import { trailEntry, type SessionDeps } from './deps.ts'

const WRONG_CODE = 'The code is not right, or was used before.'

/** A way to show who one is; `take` runs inside the transaction and answers whether it holds. */
interface Proof {
  readonly operation: Operation
  readonly what: Exclude<Guessed, 'signature'>
  readonly done: string
  readonly failed: string
  readonly take: (tx: Tx) => Promise<boolean>
  /** What is slow, and runs before the transaction. */
  readonly look?: () => Promise<boolean>
}

export function secondStep(deps: SessionDeps) {
  const { reader, writer, world, signInRateLimit, httpsUrl } = deps

  /** Opens the session to a person who proves themselves, with new halves; a failure counts, and stands in the trail. */
  async function prove(person: Person, call: Call, proof: Proof) {
    const { operation, what, done, failed, take } = proof
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
    const renewed = await signInRateLimit.attempt(what, { ...call, email: person.email }, look)
    if (!renewed)
      throw new Fault('unauthenticated', what === 'password' ? 'The password is not right.' : WRONG_CODE)
    setCookie(call, renewed)
    return signedInAnswer(renewed)
  }

  async function stepUp({ password, code, recovery_code }: Params<typeof sessions.stepUp>, call: Call) {
    const person = signedInPerson(call)
    if ([password, code, recovery_code].filter((it) => it !== undefined).length !== 1)
      throw invalidParameter('password', 'give one of password, code and recovery_code')
    const how = password === undefined ? (code === undefined ? 'a recovery code' : 'a code') : 'the password'
    return prove(person, call, {
      operation: sessions.stepUp,
      what: password === undefined ? (code === undefined ? 'recovery' : 'code') : 'password',
      done: `Proved again who they are, with ${how}.`,
      failed: `Did not prove who they are: wrong ${how.replace(/^an? |^the /, '')}.`,
      async take(tx) {
        if (code !== undefined) return takeTotp(tx, deps, person.userId, code)
        if (recovery_code !== undefined) return takeRecovery(tx, person.userId, recovery_code)
        return true
      },
      ...(password !== undefined && {
        async look() {
          const user = await verifyPassword(reader, person.email, password, true)
          return user?.user_id === person.userId
        },
      }),
    })
  }

  return {
    totp({ code }: Params<typeof sessions.totp>, call: Call) {
      const person = pendingPerson(call)
      return prove(person, call, {
        operation: sessions.totp,
        what: 'code',
        done: 'Signed in with a password and a code.',
        failed: 'Sign-in failed: wrong code.',
        take: (tx) => takeTotp(tx, deps, person.userId, code),
      })
    },
    recovery({ code }: Params<typeof sessions.recovery>, call: Call) {
      const person = pendingPerson(call)
      return prove(person, call, {
        operation: sessions.recovery,
        what: 'recovery',
        done: 'Signed in with a password and a recovery code.',
        failed: 'Sign-in failed: wrong recovery code.',
        take: (tx) => takeRecovery(tx, person.userId, code),
      })
    },
    stepUp,
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
