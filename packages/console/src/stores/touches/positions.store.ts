// Which numbered touches are stored: one that comes a second time, because the answer to its commit was lost, is dropped.
import type { Tx } from '../../db/query.ts'
import { removeBefore } from '../../db/remove-before.ts'
import { NO_NUMBERS, withNumber, type NumberSet, type Range } from './number-set.ts'

/** A touch of a token listener: `seq` counts 1, 2, 3 … from each start, which has a `spoolId` of its own. */
export interface TouchNumber {
  readonly spoolId: string
  readonly seq: number
}

export interface TouchPositions {
  /** Begins a batch: what it takes is remembered only once `commit` says that the transaction is committed. */
  batch(tx: Tx): TouchPositionBatch
}

export interface TouchPositionBatch {
  /** Reads what is stored of these starts. */
  load(spoolIds: Iterable<string>): Promise<void>
  /** Takes the number; false when its touch is stored already. Its start is loaded. */
  take(number: TouchNumber): boolean
  store(movedAt: number): Promise<void>
  commit(): void
}

export function openTouchPositions(): TouchPositions {
  /** As last committed by this process, which is nearly always the only one that moves them. */
  let known: ReadonlyMap<string, NumberSet> = new Map()

  return {
    batch(tx) {
      const sets = new Map(known)
      // After a failure the next batch reads what the database has.
      known = new Map()
      const moved = new Set<string>()
      return {
        async load(spoolIds) {
          for (const spoolId of new Set(spoolIds))
            if (!sets.has(spoolId)) sets.set(spoolId, await readPosition(tx, spoolId))
        },
        take({ spoolId, seq }) {
          const next = withNumber(sets.get(spoolId) ?? NO_NUMBERS, seq)
          if (next === undefined) return false
          sets.set(spoolId, next)
          moved.add(spoolId)
          return true
        },
        async store(moved_at) {
          const rows = Array.from(moved, (spool_id) => {
            const { last, missing } = sets.get(spool_id) ?? NO_NUMBERS
            return { spool_id, last_seq: last, missing: JSON.stringify(missing), moved_at }
          })
          await tx.insertMany('touch_position', rows, { key: ['spool_id'], then: 'replace' })
        },
        commit() {
          // Of older starts nothing comes again soon.
          known = moved.size > 0 ? new Map([...sets].filter(([id]) => moved.has(id))) : sets
        },
      }
    },
  }
}

async function readPosition(tx: Tx, spoolId: string): Promise<NumberSet> {
  const [row] = await tx.rows<{ last_seq: number; missing: string }>(
    'SELECT last_seq, missing FROM touch_position WHERE spool_id = ?',
    [spoolId],
  )
  return row ? { last: row.last_seq, missing: JSON.parse(row.missing) as Range[] } : NO_NUMBERS
}

/** Positions of starts that stored their last touch before. */
export const removeOldPositions = (tx: Tx, before: number, most: number): Promise<number> =>
  removeBefore(tx, { table: 'touch_position', key: 'spool_id', at: 'moved_at' }, before, most)
