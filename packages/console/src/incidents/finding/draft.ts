// Reads the next block of the search index, up to the point where it can be stored.
import type { Query } from '../../db/query.ts'
import {
  BLOCK_ROWS,
  fullBlock,
  kindKey,
  pack,
  PROVISIONAL_ROWS,
  type Indexed,
  type Kind,
} from '../../stores/incidents/block.ts'
import { indexEnd, kindId, nextToIndex } from '../../stores/incidents/index.store.ts'
import type { Prepared } from '../../stores/incidents/index-writing.store.ts'

const MOST_REMEMBERED = 20_000

export interface Drafting {
  /** Undefined while too few incidents are in no block. */
  next(query: Query): Promise<Prepared | undefined>
}

/** How many incidents a full block has, and how few a provisional one; tests take fewer. */
export interface Sizes {
  readonly full: number
  readonly provisional: number
}

export function openDrafting(sizes: Sizes = { full: BLOCK_ROWS, provisional: PROVISIONAL_ROWS }): Drafting {
  const known = new Map<string, number>()

  async function numberOf(query: Query, kind: Kind, key: string): Promise<number | undefined> {
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const id = await kindId(query, kind)
    if (id === undefined) return undefined
    if (known.size >= MOST_REMEMBERED) known.clear()
    known.set(key, id)
    return id
  }

  async function numbersOf(query: Query, rows: readonly Indexed[]): Promise<ReadonlyMap<string, number>> {
    const ids = new Map<string, number>()
    for (const [key, kind] of new Map(rows.map((row) => [kindKey(row), row]))) {
      const id = await numberOf(query, kind, key)
      if (id !== undefined) ids.set(key, id)
    }
    return ids
  }

  return {
    async next(query) {
      const prepared = async (
        rows: readonly Indexed[],
        isProvisional: boolean,
        behind: number,
      ): Promise<Prepared> => ({ draft: pack(rows, await numbersOf(query, rows)), isProvisional, behind })

      const [end, fullEnd] = await Promise.all([indexEnd(query, 'all'), indexEnd(query, 'full')])
      const rows = await nextToIndex(query, fullEnd.last_id, sizes.full)
      const full = fullBlock(rows, sizes.full)
      if (full.length > 0) return prepared(full, false, fullEnd.last_id)
      const unindexed = rows.filter(({ incident_id }) => incident_id > end.last_id)
      return unindexed.length < sizes.provisional ? undefined : prepared(unindexed, true, end.last_id)
    },
  }
}
