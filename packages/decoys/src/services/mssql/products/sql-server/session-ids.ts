// Session ids (SPIDs): SQL Server gives each user the smallest free one from 51 on.

const FIRST = 51

export function sessionIds() {
  const taken = new Set<number>()
  return {
    /** `busy`: how many applications of the machine hold one already. */
    take(busy: number) {
      let id = FIRST + busy
      while (taken.has(id)) id += 1
      taken.add(id)
      return id
    },
    release: (id: number) => taken.delete(id),
  }
}

export type SessionIds = ReturnType<typeof sessionIds>
