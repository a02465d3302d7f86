// The sixteen databases in memory, bounded: intruders fill them.

import type { Stream } from './stream.ts'

export type Entry =
  /** `isRaw`: it was changed in place, and is not an embedded string any more. */
  (
    | { readonly type: 'string'; value: string; readonly isRaw?: boolean }
    | { readonly type: 'list'; readonly value: string[] }
    | { readonly type: 'hash'; readonly value: Map<string, string> }
    | { readonly type: 'set'; readonly value: Set<string> }
    | { readonly type: 'zset'; readonly value: Map<string, number> }
    | { readonly type: 'stream'; readonly value: Stream }
  ) & {
    expiresAt?: number | undefined
    /** When a command last read or wrote it. */
    usedAt?: number | undefined
  }

export type EntryType = Entry['type']

/** A key as it was when a client watched it. */
export interface WatchedKey {
  readonly db: number
  readonly key: string
  readonly entry: Entry | undefined
  /** What its elements were. Texts are replaced, never changed in place, and need none. */
  readonly print: string
}

const EXPIRY_CYCLE_MS = 100
export const DATABASES = 16
/** For all databases together. */
const MAX_BYTES = 1024 * 1024
/** Bytes added before the sizes are measured again. */
const MEASURE_BYTES = 64 * 1024
/** Memory of an element besides its text. */
const ELEMENT_OVERHEAD_BYTES = 48

/** The databases of one listener. Times are milliseconds UTC. */
export class Keyspace {
  #databases = Array.from({ length: DATABASES }, () => new Map<string, Entry>())
  /** An upper bound: elements removed from collections are subtracted at the next measuring. */
  #bytes = 0
  /** Bytes added since the last measuring. Measuring at every refusal would cost too much processor time. */
  #unmeasured = 0

  /** What all values take, at most. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether there is no room for `more` bytes. Each call counts a little towards the next measuring. */
  isFull(more: number): boolean {
    if (this.#bytes + more <= MAX_BYTES) return false
    this.#unmeasured += 256
    if (this.#unmeasured > MEASURE_BYTES) {
      this.#unmeasured = 0
      this.#bytes = 0
      for (const db of this.#databases)
        for (const [key, entry] of db) this.#bytes += key.length + sizeOf(entry)
    }
    return this.#bytes + more > MAX_BYTES
  }

  /** Counts what a command adds. */
  addBytes(words: readonly string[]): void {
    for (const word of words) {
      this.#bytes += word.length + ELEMENT_OVERHEAD_BYTES
      this.#unmeasured += word.length + ELEMENT_OVERHEAD_BYTES
    }
  }

  addEntryBytes(entry: Entry): void {
    this.#bytes += sizeOf(entry)
    this.#unmeasured += sizeOf(entry)
  }

  find(db: number, key: string, now: number): Entry | undefined {
    const entry = this.#databases[db]!.get(key)
    if (entry?.expiresAt === undefined || entry.expiresAt > now) return entry
    this.remove(db, key)
    return undefined
  }

  put(db: number, key: string, entry: Entry): void {
    const old = this.#databases[db]!.get(key)
    if (old && old !== entry) this.#bytes -= sizeOf(old)
    // A command may write a text that is longer than its words.
    if (entry.type === 'string') this.addEntryBytes(entry)
    this.#databases[db]!.set(key, entry)
  }

  remove(db: number, key: string): boolean {
    const old = this.#databases[db]!.get(key)
    if (old) this.#bytes -= sizeOf(old)
    return this.#databases[db]!.delete(key)
  }

  keys(db: number, now: number): string[] {
    return [...this.#databases[db]!.keys()].filter((key) => this.find(db, key, now))
  }

  /** Keys, those too that have expired. */
  count(db: number): number {
    return this.#databases[db]!.size
  }

  /** Keys are counted until the server finds that they have expired, ten times a second. */
  size(db: number, now: number): number {
    let count = 0
    for (const { expiresAt } of this.#databases[db]!.values())
      if (expiresAt === undefined || expiresAt > now - EXPIRY_CYCLE_MS) count += 1
    return count
  }

  expiring(db: number): number {
    let count = 0
    for (const { expiresAt } of this.#databases[db]!.values()) if (expiresAt !== undefined) count += 1
    return count
  }

  /** Answers how many keys there were. */
  flush(db?: number): number {
    const flushed = db === undefined ? this.#databases : [this.#databases[db]!]
    const count = flushed.reduce((sum, { size }) => sum + size, 0)
    if (db === undefined) {
      for (const each of this.#databases) each.clear()
      this.#bytes = 0
    } else for (const key of [...this.#databases[db]!.keys()]) this.remove(db, key)
    return count
  }

  evict(expiringOnly: boolean): void {
    for (const [db, entries] of this.#databases.entries())
      for (const [key, { expiresAt }] of entries)
        if (!expiringOnly || expiresAt !== undefined) this.remove(db, key)
  }

  swap(a: number, b: number): void {
    const [first, second] = [this.#databases[a]!, this.#databases[b]!]
    this.#databases[a] = second
    this.#databases[b] = first
  }
}

export const isDatabase = (n: number): boolean => n >= 0 && n < DATABASES

/** Memory of a value, about. */
export function sizeOf(entry: Entry): number {
  const { type, value } = entry
  let bytes = ELEMENT_OVERHEAD_BYTES
  if (type === 'string') return bytes + value.length
  if (type === 'hash')
    for (const [field, text] of value) bytes += field.length + text.length + ELEMENT_OVERHEAD_BYTES
  else if (type === 'stream') {
    for (const { fields } of value.entries)
      for (const text of fields) bytes += text.length + ELEMENT_OVERHEAD_BYTES
  } else if (type === 'zset')
    for (const member of value.keys()) bytes += member.length + ELEMENT_OVERHEAD_BYTES
  else for (const item of value) bytes += item.length + ELEMENT_OVERHEAD_BYTES
  return bytes
}
