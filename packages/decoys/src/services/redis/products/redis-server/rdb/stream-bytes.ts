// A stream in an RDB: its nodes, its counters, and its groups with what they have not acknowledged.
import {
  compareIds,
  FIRST_ID,
  newStream,
  pendingOf,
  type Stream,
  type StreamGroup,
  type StreamId,
} from '../values/stream.ts'
import { BadFormat, little, type ByteReader } from './byte-reader.ts'
import { readListpack } from './listpack.ts'
import { idBytes, nodeListpack, readNode, streamNodes } from './stream-nodes.ts'
import { lengthBytes, readCount, readLength, readText } from './text.ts'

/** `text` writes a text, compressed where that helps. */
export function streamBytes(
  stream: Stream,
  config: ReadonlyMap<string, string>,
  text: (value: string) => string,
): string {
  const nodes = streamNodes(stream, config)
  const numbers = [
    ...stream.lastId,
    ...(stream.entries[0]?.id ?? FIRST_ID),
    ...stream.maxDeletedId,
    BigInt(stream.added),
  ]
  return [
    lengthBytes(nodes.length),
    ...nodes.map((node) => text(idBytes(node.entries[0]!.id)) + text(nodeListpack(node))),
    lengthBytes(stream.entries.length),
    ...numbers.map(lengthBytes),
    lengthBytes(stream.groups.size),
    ...byName(stream.groups).map(([name, group]) => text(name) + groupBytes(group, text)),
  ].join('')
}

/** In the order of a radix tree. */
const byName = <T>(map: ReadonlyMap<string, T>): (readonly [string, T])[] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1))

const UNKNOWN_READ = 2n ** 64n - 1n

function groupBytes(group: StreamGroup, text: (value: string) => string): string {
  const pending = pendingOf(group)
  const consumers = byName(group.consumers).map(([name, seenAt]) => {
    const own = pending.filter(({ consumer }) => consumer === name)
    return (
      text(name) + little(seenAt, 8) + lengthBytes(own.length) + own.map(({ id }) => idBytes(id)).join('')
    )
  })
  return [
    ...[...group.lastId, group.entriesRead ?? UNKNOWN_READ].map(lengthBytes),
    lengthBytes(pending.length),
    ...pending.map(
      ({ id, deliveredAt, deliveries }) => idBytes(id) + little(deliveredAt, 8) + lengthBytes(deliveries),
    ),
    lengthBytes(consumers.length),
    ...consumers,
  ].join('')
}

/** `hasCounts`: as 7.0 writes it; before, the first id, deletions and additions were not known. */
export function readStream(reader: ByteReader, hasCounts: boolean): Stream {
  const stream = newStream()
  for (let nodes = readCount(reader); nodes > 0; nodes -= 1) {
    const key = readText(reader)
    const node = readNode(idOf(key), readListpack(readText(reader)))
    stream.entries.push(...node.entries)
    stream.deleted.push(...node.deleted)
  }
  const length = readLength(reader)
  if (length !== BigInt(stream.entries.length)) throw new BadFormat('a stream has another length')
  if (stream.entries.some(({ id }, at) => at > 0 && compareIds(stream.entries[at - 1]!.id, id) >= 0))
    throw new BadFormat('the entries of a stream are not in order')
  stream.lastId = [readLength(reader), readLength(reader)]
  stream.added = stream.entries.length
  if (hasCounts) {
    // The id of the first entry.
    for (let numbers = 2; numbers > 0; numbers -= 1) readLength(reader)
    stream.maxDeletedId = [readLength(reader), readLength(reader)]
    stream.added = Number(readLength(reader))
  }
  for (let groups = readCount(reader); groups > 0; groups -= 1) {
    const name = readText(reader)
    if (stream.groups.has(name)) throw new BadFormat('two groups of a stream have one name')
    stream.groups.set(name, readGroup(reader, hasCounts))
  }
  return stream
}

function readGroup(reader: ByteReader, hasCounts: boolean): StreamGroup {
  const lastId: StreamId = [readLength(reader), readLength(reader)]
  const read = hasCounts ? readLength(reader) : UNKNOWN_READ
  const delivered = new Map<string, { deliveredAt: number; deliveries: number }>()
  for (let left = readCount(reader); left > 0; left -= 1)
    delivered.set(reader.take(16), {
      deliveredAt: Number(reader.integer(8)),
      deliveries: Number(readLength(reader)),
    })
  const group: StreamGroup = {
    lastId,
    entriesRead: read === UNKNOWN_READ ? undefined : Number(read),
    consumers: new Map(),
    pending: new Map(),
  }
  for (let consumers = readCount(reader); consumers > 0; consumers -= 1) {
    const consumer = readText(reader)
    group.consumers.set(consumer, Number(reader.integer(8)))
    for (let left = readCount(reader); left > 0; left -= 1) {
      const key = reader.take(16)
      const facts = delivered.get(key)
      if (!facts) throw new BadFormat('a consumer has an entry that its group has not')
      const id = idOf(key)
      group.pending.set(id.join('-'), { consumer, id, ...facts })
      delivered.delete(key)
    }
  }
  if (delivered.size > 0) throw new BadFormat('an entry that was delivered has no consumer')
  return group
}

function idOf(key: string): StreamId {
  if (key.length !== 16) throw new BadFormat('an id of a stream has another length')
  const bytes = Buffer.from(key, 'latin1')
  return [bytes.readBigUInt64BE(0), bytes.readBigUInt64BE(8)]
}
