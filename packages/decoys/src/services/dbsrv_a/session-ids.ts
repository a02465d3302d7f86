// Session ids (SPIDs): SQL Server gives each user the smallest free one from 51 on.

export interface SessionIds {
  /** `busy`: how many applications of the machine hold one already. */
  readonly take: (busy: number) => number
  readonly release: (id: number) => void
}

const FIRST = 51

export function sessionIds(): SessionIds {
  const taken = new Set<number>()
  return {
    take(busy) {
      let id = FIRST + busy
      while (taken.has(id)) id += 1
      taken.add(id)
      return id
    },
    release: (id) => void taken.delete(id),
  }
}
