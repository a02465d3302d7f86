// An alert as a bulk request of one document: what is created a second time under its id is there already.
import { fieldsOf } from '../../message/fields.ts'
import { fitted } from '../../message/fitted.ts'
import type { Message } from '../../message/message.ts'
import { ecsDocument } from '../../schemas/ecs.ts'

/** A term of the index has at most 32,766 bytes: a label and its value are one, and a character of UTF-16 has at most three. */
const ROOM = { details: 200, text: 5_000 }
/** An incident is notified of once; a later message of it would bear the next number. */
const FIRST = 1

export function bulkCreate(message: Message, messageId: string): string {
  const fields = fitted(fieldsOf(message, messageId, false), ROOM)
  const hash = 'incident' in message ? message.incident.hash : ''
  const action = { create: { _id: hash === '' ? messageId : `${hash}-${FIRST}` } }
  return [action, ecsDocument(fields, messageId)].map((it) => `${JSON.stringify(it)}\n`).join('')
}
