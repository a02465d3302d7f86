// How commands find keys, make and remove them.
import { wrongType } from '../arguments.ts'
import type { Call } from '../model/call.ts'
import type { Entry, EntryType } from './keyspace.ts'

/** As a command finds it that only asks what a key is. */
export const peek = ({ server, client, now }: Call, key: string): Entry | undefined =>
  server.keyspace.find(client.db, key, now)

const FIND_WORK = 4
const CHARACTERS_A_UNIT = 16

/** What it takes to look at all of a value once. */
function weightOf({ type, value }: Entry): number {
  if (type === 'string') return value.length / CHARACTERS_A_UNIT
  if (type === 'list') return value.length
  return type === 'stream' ? value.entries.length : value.size
}

/** The same for a command that asks about a key, which INFO counts. */
export function look(call: Call, key: string): Entry | undefined {
  const entry = peek(call, key)
  call.work.spend(FIND_WORK + (entry && call.server.weighs ? weightOf(entry) : 0))
  if (call.server.isReading) call.server.counters[entry ? 'hits' : 'misses'] += 1
  return entry
}

export function find(call: Call, key: string): Entry | undefined {
  const entry = look(call, key)
  if (entry) entry.usedAt = call.now
  return entry
}

type Of<T extends EntryType> = Extract<Entry, { type: T }>

/** What INFO counts as changes, where the reply does not tell. Further ones of the same command are added. */
export function countChanges({ server }: Call, count: number): void {
  server.changes = (server.changes ?? 0) + count
}

/** The entry, if there is one. Throws WRONGTYPE if it has another type. */
export function findTyped<T extends EntryType>(call: Call, key: string, type: T): Of<T> | undefined {
  const entry = find(call, key)
  if (entry && entry.type !== type) throw wrongType()
  return entry as Of<T> | undefined
}

/** The entry; a new, empty one if there is none. */
export function findOrCreate<T extends Exclude<EntryType, 'string' | 'stream'>>(
  call: Call,
  key: string,
  type: T,
): Of<T> {
  const known = findTyped(call, key, type)
  if (known) return known
  const value = type === 'list' ? [] : type === 'set' ? new Set() : new Map()
  const entry = { type, value } as unknown as Of<T>
  call.server.keyspace.put(call.client.db, key, entry)
  return entry
}

export function put({ server, client, now }: Call, key: string, entry: Entry): void {
  entry.usedAt ??= now
  server.keyspace.put(client.db, key, entry)
}
export const remove = ({ server, client }: Call, key: string): boolean =>
  server.keyspace.remove(client.db, key)

/** Redis has no empty collections: removes the key with the last element. */
export function removeIfEmpty(call: Call, key: string, entry: Entry): void {
  // A stream may be empty, and so may a string.
  if (entry.type === 'string' || entry.type === 'stream') return
  if ((entry.type === 'list' ? entry.value.length : entry.value.size) === 0) remove(call, key)
}
