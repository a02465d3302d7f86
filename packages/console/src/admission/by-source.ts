// What belongs to a source, oldest first.

export function bySource<T>() {
  const groups = new Map<string, Set<T>>()
  return {
    countOf: (source: string) => groups.get(source)?.size ?? 0,
    of: (source: string): Iterable<T> => groups.get(source) ?? [],
    sources: () => groups.keys(),
    add(source: string, one: T): void {
      const group = groups.get(source)
      if (group) group.add(one)
      else groups.set(source, new Set([one]))
    },
    remove(source: string, one: T): void {
      const group = groups.get(source)
      group?.delete(one)
      if (group?.size === 0) groups.delete(source)
    },
  }
}
