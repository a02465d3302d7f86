// Visits that other consoles or earlier starts have recorded. PostgreSQL has several consoles, so each visit is stored with its
// event; SQLite has one, so its visits are stored when it stops, and read after the start alone.
import type { AppContext } from '../../../app-context.ts'
import type { Tx } from '../../../db/query.ts'
import { lastVisitAt, loadVisits, storeVisits } from '../../../stores/touches/visits.store.ts'
import { MAX_VISIT_MS, type VisitBatch, type VisitDedup } from './visit-dedup.ts'

export interface AskedVisit {
  readonly visitor: string
  readonly receivedAt: number
}

export interface StoredVisits {
  /** What is stored of these visits joins the marks of the batch. */
  load(tx: Tx, batch: VisitBatch, asked: () => readonly AskedVisit[]): Promise<void>
  /** Stores the visits that the batch has begun. */
  store(tx: Tx, batch: VisitBatch): Promise<void>
  stop(): Promise<void>
}

/** Of them the newest are kept over a restart. */
const MAX_AT_STOP = 10_000

export function openStoredVisits(
  dedup: VisitDedup,
  { writer, world: { clock }, log }: Pick<AppContext, 'writer' | 'world' | 'log'>,
): StoredVisits {
  /** When the visits of earlier starts have ended, on SQLite. */
  let endedAt: number | undefined

  async function hasOngoing(tx: Tx): Promise<boolean> {
    if (tx.engine !== 'sqlite') return true
    endedAt ??= ((await lastVisitAt(tx)) ?? -Infinity) + MAX_VISIT_MS
    return clock.now() < endedAt
  }

  return {
    async load(tx, batch, asked) {
      if (!(await hasOngoing(tx))) return
      const unknown = asked().filter(({ visitor, receivedAt }) => !batch.isRepeated(visitor, receivedAt))
      if (unknown.length === 0) return
      const visitors = [...new Set(unknown.map(({ visitor }) => visitor))]
      for (const { visitor, ...visit } of await loadVisits(tx, visitors)) batch.adopt(visitor, visit)
    },
    async store(tx, batch) {
      if (tx.engine !== 'sqlite') await storeVisits(tx, batch.begun())
    },
    async stop() {
      const ongoing = dedup.ongoing(clock.now()).slice(-MAX_AT_STOP)
      if (ongoing.length === 0) return
      await writer
        .write(async (tx) => (tx.engine === 'sqlite' ? storeVisits(tx, ongoing) : undefined))
        .catch((error: unknown) => log.debug({ err: error }, 'visits that go on may be counted once more'))
    },
  }
}
