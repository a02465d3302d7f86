// Which answers may be compressed. The length of a compressed answer tells what repeats in it: who sees lengths on the wire,
// and can place a text next to a secret, guesses the secret bit by bit (BREACH, breachattack.com). So an answer that may hold
// a secret is never compressed, and neither is one of events: what intruders write stands there next to passwords of others.
import type { Operation } from './operation.ts'

/** Fields that are, or may hold, a secret or what an intruder wrote; a new field of such a name is one as well. */
const HELD_BACK =
  /secret|password|auth|token$|^code$|^(seed)?link$|^command$|(^|_)urls?$|webhooks?$|^renders$|^settings$|^events?(_list)?$|^logdata$/

const known = new WeakMap<Operation, boolean>()

/** Reads of JSON in whose answer no field is held back. What admins and factories alone may call makes or reveals keys. */
export function mayBeCompressed(operation: Operation): boolean {
  const { method, role, answers, answer } = operation
  const may =
    known.get(operation) ??
    (method === 'GET' && answers === 'json' && (role === 'read-only' || role === 'any') && !holdsBack(answer))
  known.set(operation, may)
  return may
}

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>
}

/** Whether a field of such a name stands anywhere in the schema; one that is true or false tells nothing. */
function holdsBack(schema: object): boolean {
  const { properties = {} } = schema as Schema
  return (
    Object.entries(properties).some(([name, { type }]) => HELD_BACK.test(name) && type !== 'boolean') ||
    Object.values(schema).some(
      (part) => typeof part === 'object' && part !== null && holdsBack(part as object),
    )
  )
}
