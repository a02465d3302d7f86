// What commands on streams share: how they find a stream, read ids, and print entries.
import { ErrorReply } from '../arguments.ts'
import { find, findTyped, put } from '../values/find.ts'
import type { Call } from '../model/call.ts'
import { array, bulk, bulks } from '../../../protocol/resp.ts'
import {
  compareIds,
  FIRST_ID,
  idText,
  LAST_ID,
  newStream,
  nextId,
  parseId,
  previousId,
  type Stream,
  type StreamEntry,
  type StreamId,
} from '../values/stream.ts'

const invalidId = (): ErrorReply =>
  new ErrorReply('ERR Invalid stream ID specified as stream command argument')

export function toId(text: string | undefined, missingSequence = 0n): StreamId {
  const id = parseId(text, missingSequence)
  if (!id) throw invalidId()
  return id
}

export const findStream = (call: Call, key: string): Stream | undefined =>
  findTyped(call, key, 'stream')?.value

/** The stream that XINFO is asked about. */
export function existingStream(call: Call): Stream {
  if (!find(call, call.args[2]!)) throw new ErrorReply('ERR no such key')
  return findStream(call, call.args[2]!)!
}

export function findOrCreateStream(call: Call, key: string): Stream {
  const known = findStream(call, key)
  if (known) return known
  const value = newStream()
  put(call, key, { type: 'stream', value })
  return value
}

export const entryReply = ({ id, fields }: StreamEntry): string => array([bulk(idText(id)), bulks(fields)])

export const entriesReply = (entries: readonly StreamEntry[]): string => array(entries.map(entryReply))

/** A limit of XRANGE: `-`, `+`, an id, or `(` and an id. */
export function rangeLimit(text: string | undefined, isStart: boolean): StreamId {
  if (text === '-') return FIRST_ID
  if (text === '+') return LAST_ID
  const isExclusive = text?.startsWith('(') ?? false
  const id = toId(isExclusive ? text!.slice(1) : text, isStart ? 0n : LAST_ID[1])
  if (!isExclusive) return id
  if (compareIds(id, isStart ? LAST_ID : FIRST_ID) === 0)
    throw new ErrorReply(`ERR invalid ${isStart ? 'start' : 'end'} ID for the interval`)
  return isStart ? nextId(id) : previousId(id)
}
