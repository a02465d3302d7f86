// The matches nearest to where a page begins, out of very many that come in any order.

export interface Beginning {
  /** The time of the row beside which the page begins; undefined is the list's end. */
  readonly at: number | undefined
  /** Towards the newest instead of the oldest. */
  readonly backward: boolean
  readonly limit: number
}

export interface Nearest {
  /** Whether a match created between these times could still be among the nearest. */
  wants(oldest: number, newest: number): boolean
  add(createdAt: number, incidentId: number): void
  /** The nearest ones (more than `limit` where times are equal), and all that were created at the very beginning's time. */
  done(): { readonly near: number[]; readonly beside: number[] }
}

export function openNearest({ at, backward, limit }: Beginning): Nearest {
  const sign = backward ? 1 : -1
  let near: { distance: number; incidentId: number }[] = []
  const beside: number[] = []
  let farthest = Infinity
  let room = limit + 1

  function cut(): void {
    near.sort((a, b) => a.distance - b.distance)
    farthest = near[limit - 1]?.distance ?? Infinity
    near = near.filter(({ distance }) => distance <= farthest)
    room = Math.max(room, 2 * near.length)
  }

  return {
    wants(oldest, newest) {
      if (at !== undefined && (backward ? newest < at : oldest > at)) return false
      return (backward ? oldest : -newest) <= farthest
    },
    add(createdAt, incidentId) {
      if (at !== undefined) {
        if (createdAt === at) return void beside.push(incidentId)
        if (backward ? createdAt < at : createdAt > at) return
      }
      const distance = sign * createdAt
      if (distance > farthest) return
      near.push({ distance, incidentId })
      if (near.length >= room) cut()
    },
    done() {
      cut()
      return { near: near.map(({ incidentId }) => incidentId), beside }
    },
  }
}
