// A map with a bound: past it, the entry that was used longest ago leaves.
import type { Limit } from './limit.ts'

export interface BoundedMap<K, V> {
  /** The value, which now counts as used; undefined when there is none. */
  get(key: K): V | undefined
  /** The value, without counting as a use. */
  peek(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): boolean
  clear(): void
  /** Least recently used first. The entry that was given out last may be deleted meanwhile. */
  entries(): IterableIterator<[K, V]>
  readonly size: number
}

/** In the list of all entries, by use. The order of a Map would do, but its first entry is found behind all that were deleted. */
interface Entry<K, V> {
  readonly key: K
  value: V
  older: Entry<K, V> | undefined
  newer: Entry<K, V> | undefined
}

export function boundedMap<K, V>(bound: Limit, onEvict?: (key: K, value: V) => void): BoundedMap<K, V> {
  const map = new Map<K, Entry<K, V>>()
  let oldest: Entry<K, V> | undefined
  let newest: Entry<K, V> | undefined

  function append(entry: Entry<K, V>): void {
    entry.older = newest
    entry.newer = undefined
    if (newest) newest.newer = entry
    else oldest = entry
    newest = entry
  }

  function unlink({ older, newer }: Entry<K, V>): void {
    if (older) older.newer = newer
    else oldest = newer
    if (newer) newer.older = older
    else newest = older
  }

  function use(entry: Entry<K, V>): void {
    if (entry === newest) return
    unlink(entry)
    append(entry)
  }

  function remove(entry: Entry<K, V>): void {
    map.delete(entry.key)
    unlink(entry)
  }

  function evictOldest(): void {
    if (!oldest) return
    const { key, value } = oldest
    remove(oldest)
    bound.hit()
    onEvict?.(key, value)
  }

  return {
    get(key) {
      const entry = map.get(key)
      if (entry) use(entry)
      return entry?.value
    },
    peek: (key) => map.get(key)?.value,
    set(key, value) {
      const known = map.get(key)
      if (known) {
        known.value = value
        return use(known)
      }
      const entry = { key, value, older: undefined, newer: undefined }
      map.set(key, entry)
      append(entry)
      while (map.size > bound.max) evictOldest()
    },
    delete(key) {
      const entry = map.get(key)
      if (entry) remove(entry)
      return entry !== undefined
    },
    clear() {
      map.clear()
      oldest = newest = undefined
    },
    *entries() {
      for (let entry = oldest; entry; entry = entry.newer) yield [entry.key, entry.value]
    },
    get size() {
      return map.size
    },
  }
}
