// Session ids (SPIDs): SQL Server gives each user the smallest free one from 51 on.

export interface SessionIds {
  readonly take: () => number
  readonly release: (id: number) => void
}

const FIRST = 51

/** `busy`: how many applications hold one already, as on a server in use. */
export function sessionIds(busy: number): SessionIds {
  const taken = new Set<number>()
  return {
    take() {
      let id = FIRST + busy
      while (taken.has(id)) id += 1
      taken.add(id)
      return id
    },
    release: (id) => void taken.delete(id),
  }
}
