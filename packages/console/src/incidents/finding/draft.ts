// Reads the next block of the search index, up to the point where it can be stored.
import type { Query } from '../../db/query.ts'
import { BLOCK_ROWS, fullBlock, kindKey, pack, type Kind } from '../../stores/incidents/block.ts'
import { indexedUpTo, kindId, nextToIndex } from '../../stores/incidents/index.store.ts'
import type { Prepared } from '../../stores/incidents/index-writing.store.ts'

const MOST_REMEMBERED = 20_000

export interface Drafting {
  /** Undefined while too few incidents are in no block. */
  next(query: Query): Promise<Prepared | undefined>
}

/** `blockRows`: incidents of a block; tests take fewer. */
export function openDrafting(blockRows = BLOCK_ROWS): Drafting {
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

  return {
    async next(query) {
      const behind = await indexedUpTo(query)
      const rows = fullBlock(await nextToIndex(query, behind, blockRows), blockRows)
      if (rows.length === 0) return undefined
      const ids = new Map<string, number>()
      for (const [key, kind] of new Map(rows.map((row) => [kindKey(row), row]))) {
        const id = await numberOf(query, kind, key)
        if (id !== undefined) ids.set(key, id)
      }
      return { draft: pack(rows, ids), behind }
    },
  }
}
