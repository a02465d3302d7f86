// The spool of a console's token listeners, `<data>/touches`: visits that were answered before the database had them.
import { join } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { visitorDetailOf } from '@rookery/tokens/token.ts'
import { channelOf } from '@rookery/tokens/visit.ts'
import { makeDirectory } from '@rookery/spool/durable-files.ts'
import { openSpool, type SpoolOptions } from '@rookery/spool/spool.ts'
import type { Background } from '../background/background.ts'
import { task } from '../background/task.ts'
import { takeLock } from '../db/lock.ts'
import { isRefusalOfValues } from '../db/postgres/errors.ts'
import { visitorOf } from '../flows/ingest/filters/visit-dedup.ts'
import { visitKeys } from '../flows/ingest/filters/visit-keys.ts'
import type { TokenVisit } from '../flows/ingest/ingest-item.ts'

export interface TouchSpool {
  /** Writes the visit; the disk has it within 50 ms. While the disk refuses it, it waits in memory, up to a limit. */
  append(visit: TokenVisit): void
  /** Visits that the database does not have, as far as is known. */
  size(): number
  /** Those of them that a kill would lose. */
  unwritten(): number
  /** Resolves once everything that was appended is stored; rejects with the first outage, or when none of a batch is stored. */
  deliver(): Promise<void>
  /** What is not delivered stays for the next start. */
  close(): void
}

export interface TouchSpoolDeps extends Pick<SpoolOptions<SpooledVisit>, 'folder' | 'clock' | 'random'> {
  readonly background: Background
  readonly report: (message: string) => void
  /** Stores the visit, unless its number is stored already. Rejects with `unavailable` during an outage. */
  readonly store: (visit: TokenVisit) => Promise<unknown>
  /** Called for a visit that the database refuses for good: for its values, or for an error while it stores others. */
  readonly onLost: (visit: TokenVisit, reason: unknown) => void
}

interface SpooledVisit {
  readonly visit: TokenVisit
}

/** The spool of token touches; a full one drops repeated visits first, then the oldest. */
const SPOOL_BYTES = limit('touch_spool_bytes', 256 * 1024 * 1024)
/** Touches that wait in memory while the disk of the spool is full. */
const UNWRITTEN = limit('touch_spool_visits_unwritten', 10_000)
const VISITS_PER_BATCH = 256
const BYTES_PER_BATCH = 1024 * 1024
const RETRY_MS = 1_000
/** After a failure that is no outage as far as is known: each try writes several lines to the log. */
const RETRY_REFUSED_MS = 60_000
const TASK = task('touch_spool', undefined, 'Delivers touches of tokens that wait on disk for the database', {
  runsLong: true,
})

/** Admits one writer to the folder, or throws a `conflict`; the answer releases it. */
export function lockTouchSpool(folder: string): () => void {
  makeDirectory(folder)
  return takeLock(join(folder, 'lock'))
}

export function openTouchSpool({ store, onLost, background, ...options }: TouchSpoolDeps): TouchSpool {
  const spool = openSpool<SpooledVisit>({
    ...options,
    capacity: SPOOL_BYTES,
    unwritten: UNWRITTEN,
    repetitions: repeatedVisits,
    // Escaped as JSON, a request of 16 KiB without its body stays below the 48 KiB of a record.
    shorten: ({ visit }) => ({ visit: shortened(visit) }),
    onWritten: () => deliveries.wake(),
  })
  let isClosed = false

  async function deliver(): Promise<void> {
    for (;;) {
      const batch = spool.read(spool.acknowledged(), VISITS_PER_BATCH, BYTES_PER_BATCH)
      if (!batch) break
      const visits = batch.events.map(visitIn)
      const results = await Promise.allSettled(visits.map(store))
      if (isClosed) return
      const reasons = results.map((it) => (it.status === 'rejected' ? (it.reason as unknown) : undefined))
      const outage = reasons.find(isOutage)
      if (outage !== undefined) throw outage
      // Where not one is stored, it is the database that fails, unless it says that the values are what it refuses.
      const unexplained = reasons.find((reason) => reason !== undefined && !isRefusalOfValues(reason))
      if (unexplained !== undefined && !reasons.includes(undefined))
        throw new AllRefused(options.folder, unexplained)
      visits.forEach((visit, index) => reasons[index] !== undefined && onLost(visit, reasons[index]))
      spool.acknowledge(batch.last)
    }
    // Damaged or dropped records have numbers, too.
    if (spool.unwritten() === 0) spool.acknowledge(spool.next() - 1)
    spool.noteAcknowledged()
  }

  const deliveries = background.loop(TASK, {
    clock: options.clock,
    async run() {
      await deliver()
      return undefined
    },
    // The database's outage is reported where it is noticed first.
    onError(error) {
      if (!(error instanceof AllRefused)) return RETRY_MS
      options.report(error.message)
      return RETRY_REFUSED_MS
    },
  })
  if (spool.size() > 0) deliveries.wake()

  return {
    append(visit) {
      const isFirst = spool.size() === 0
      spool.append({ visit })
      if (isFirst) options.clock.after(RETRY_MS, deliveries.wake)
    },
    size: spool.size,
    unwritten: spool.unwritten,
    async deliver() {
      await deliveries.idle()
      await deliver()
    },
    close() {
      isClosed = true
      void deliveries.stop()
      spool.close()
    },
  }
}

class AllRefused extends Fault {
  constructor(folder: string, reason: unknown) {
    const said = (reason as Error).message
    super('unavailable', `No touch that waits in ${folder} could be stored; they stay there: ${said}`, {
      cause: reason,
    })
  }
}

export const isOutage = (error: unknown): error is Fault =>
  error instanceof Fault && error.code === 'unavailable'

const visitIn = (json: string): TokenVisit => (JSON.parse(json) as SpooledVisit).visit

function shortened(visit: TokenVisit): TokenVisit {
  const channel = channelOf(visit.visit)
  return { ...visit, visit: channel.shorten?.(visit.visit) ?? visit.visit }
}

/** Of the requests of one visitor that do the same with one token, a segment keeps the first: the others are mostly one visit. */
function repeatedVisits(): (json: string) => boolean {
  const visitors = new Set<string>()
  return (json) => {
    const spooled = visitIn(json)
    const detail = visitorDetailOf(undefined, spooled.visit)
    const { visitor } = visitKeys(visitorOf(spooled, undefined), detail)
    if (visitors.has(visitor)) return true
    visitors.add(visitor)
    return false
  }
}
