// What commands on streams share: how they find a stream and its groups, read ids, and print entries.
import { ErrorReply, findTyped, put, type Call } from '../call.ts'
import { array, bulk, bulks, nilArray, type Protocol } from '../../../protocol/resp.ts'
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
  type StreamGroup,
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

export function findOrCreateStream(call: Call, key: string): Stream {
  const known = findStream(call, key)
  if (known) return known
  const value = newStream()
  put(call, key, { type: 'stream', value })
  return value
}

export const entryReply = ({ id, fields }: StreamEntry): string => array([bulk(idText(id)), bulks(fields)])
/** Of an entry that was read and deleted since. */
export type DeletedEntry = Pick<StreamEntry, 'id'>

export const entriesReply = (entries: readonly (StreamEntry | DeletedEntry)[], resp: Protocol): string =>
  array(
    entries.map((entry) =>
      'fields' in entry ? entryReply(entry) : array([bulk(idText(entry.id)), nilArray(resp)]),
    ),
  )

/** They lie in the order of their ids. */
export function findEntry({ entries }: Stream, id: StreamId): StreamEntry | undefined {
  let [from, to] = [0, entries.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (compareIds(entries[middle]!.id, id) < 0) from = middle + 1
    else to = middle
  }
  const found = entries[from]
  return found && compareIds(found.id, id) === 0 ? found : undefined
}

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

/** Printed as texts of C, which end at a NUL. */
export const noGroup = (key: string, group: string, more = ''): ErrorReply => {
  const [shownKey, shownGroup] = [key, group].map((name) => name.split('\0', 1)[0]!)
  return new ErrorReply(`NOGROUP No such key '${shownKey}' or consumer group '${shownGroup}'${more}`)
}

/** An entry goes to the consumer, perhaps once more. */
export function deliver({ pending }: StreamGroup, consumer: string, id: StreamId, now: number): void {
  const deliveries = (pending.get(idText(id))?.deliveries ?? 0) + 1
  pending.set(idText(id), { consumer, id, deliveredAt: now, deliveries })
}

/** The consumer is there now: whether it is a new one. Unlike the server, we bound what their names take. */
export function seeConsumer({ server, now }: Call, { consumers }: StreamGroup, name: string): boolean {
  const isNew = !consumers.has(name)
  if (isNew) {
    if (server.keyspace.isFull(name.length))
      throw new ErrorReply("OOM command not allowed when used memory > 'maxmemory'.")
    server.keyspace.addBytes([name])
  }
  consumers.set(name, now)
  return isNew
}
