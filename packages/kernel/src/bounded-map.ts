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
  /** Least recently used first. */
  entries(): IterableIterator<[K, V]>
  readonly size: number
}

export function boundedMap<K, V>(bound: Limit, onEvict?: (key: K, value: V) => void): BoundedMap<K, V> {
  // A Map iterates in the order of insertion (ECMA-262, 24.1): an entry that is used moves to the end.
  const map = new Map<K, V>()

  function evictOldest(): void {
    const [oldest] = map
    if (!oldest) return
    map.delete(oldest[0])
    bound.hit()
    onEvict?.(...oldest)
  }

  return {
    get(key) {
      const value = map.get(key)
      if (value === undefined) return undefined
      map.delete(key)
      map.set(key, value)
      return value
    },
    peek: (key) => map.get(key),
    set(key, value) {
      map.delete(key)
      map.set(key, value)
      while (map.size > bound.max) evictOldest()
    },
    delete: (key) => map.delete(key),
    clear: () => map.clear(),
    entries: () => map.entries(),
    get size() {
      return map.size
    },
  }
}
