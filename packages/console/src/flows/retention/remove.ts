// One run of the retention: in steps that let touches in between, and with a row of the audit trail for each Flock that lost something.
import type { Clock } from '@rookery/kernel/world.ts'
import type { AppContext } from '../../app-context.ts'
import { cutoffOf, lastCutoff, type Cutoffs } from '../../db/cutoffs.ts'
import { nextImmediate } from '../../db/next-immediate.ts'
import { readMeta, writeMeta } from '../../db/meta.store.ts'
import type { Query, Tx } from '../../db/query.ts'
import { giveBackPages } from '../../db/sqlite/give-back.ts'
import { systemEntry } from '../../stores/audit/system-entry.ts'
import { removeSpentBatches } from '../../stores/batches/store.ts'
import { oldDeliveries, removeDeliveries, type OldDelivery } from '../../stores/deliveries/retention.store.ts'
import { flockNames } from '../../stores/flocks/store.ts'
import {
  flocksWithAcknowledged,
  oldAcknowledged,
  oldDeleted,
  portionOf,
  removeDoneWith,
  removeTexts,
  ROWS_PER_STEP,
  unusedTexts,
  type DoneWith,
} from '../../stores/incidents/retention.store.ts'
import { cutoffs, type RetentionRules } from './rules.ts'

export interface RemovalDeps extends Pick<AppContext, 'engine' | 'reader' | 'writer'> {
  readonly clock: Pick<Clock, 'now'>
  /** Asked before each step. */
  readonly mayGoOn: () => boolean
}

/** Flock to number. */
type Counts = Map<string, number>

/** What went since the last rows of the audit trail. */
interface Removed {
  readonly incidents: Counts
  readonly deliveries: Counts
}

/** What was said with a bulk action goes with the last of its incidents, once the action can be undone no more. */
const BATCHES_KEPT_MS = 30 * 86_400_000

export async function removeDue(deps: RemovalDeps, rules: RetentionRules): Promise<void> {
  const now = deps.clock.now()
  // A run that was killed left what it had removed without a row of the audit trail.
  const removed = await readRemoved(deps.reader)
  try {
    await removeIncidents(deps, cutoffs(rules, 'incident_days', now), removed)
    await removeOldDeliveries(deps, cutoffs(rules, 'delivery_days', now), removed)
  } finally {
    await record(deps, rules, removed)
  }
  if (removed.incidents.size > 0) await tidy(deps)
  if (deps.engine.name === 'sqlite') while (await step(deps, giveBackPages));
}

/** Each step writes it together with what it removes. */
const UNAUDITED = 'removed_unaudited'

const writeRemoved = (tx: Tx, { incidents, deliveries }: Removed): Promise<void> =>
  writeMeta(tx, UNAUDITED, JSON.stringify([[...incidents], [...deliveries]]))

async function readRemoved(db: Query): Promise<Removed> {
  const text = (await readMeta(db, UNAUDITED)) ?? '[[],[]]'
  const [incidents, deliveries] = JSON.parse(text) as readonly (readonly [string, number][])[]
  return { incidents: new Map(incidents), deliveries: new Map(deliveries) }
}

/** One transaction; what waits then has its turn. Undefined once the run must end. */
async function step<T>(
  { engine, writer, mayGoOn }: RemovalDeps,
  work: (tx: Tx) => Promise<T>,
): Promise<T | undefined> {
  if (!mayGoOn()) return undefined
  const outcome = await writer.write(work)
  await Promise.all([nextImmediate(), engine.checkpointed()])
  return outcome
}

async function removeIncidents(deps: RemovalDeps, old: Cutoffs, removed: Removed): Promise<void> {
  if (lastCutoff(old) === 0) return
  const { engine, reader, mayGoOn } = deps

  /** Goes on behind the last of a portion, until nothing is left. */
  async function walk(
    read: (from: DoneWith | undefined, most: number) => Promise<DoneWith[]>,
  ): Promise<void> {
    for (let from: DoneWith | undefined; mayGoOn();) {
      let found = await read(from, ROWS_PER_STEP)
      if (found.length === 0) return
      from = found.at(-1)
      while (found.length > 0 && mayGoOn()) {
        const portion = portionOf(found)
        const counts = await step(deps, async (tx) => {
          const counts = await removeDoneWith(tx, portion, old)
          if (counts) await writeRemoved(tx, { ...removed, incidents: sum(removed.incidents, counts) })
          return counts
        })
        // Without: a part of their sources went, and the same portion comes again.
        if (!counts) continue
        addTo(removed.incidents, counts)
        found = found.slice(portion.length)
      }
    }
  }

  for (const flockId of await flocksWithAcknowledged(reader)) {
    const before = cutoffOf(old, flockId)
    if (before > 0) await walk((from, most) => oldAcknowledged(engine, flockId, before, from, most))
  }
  await walk((from, most) => oldDeleted(engine, old, from, most))
}

async function removeOldDeliveries(deps: RemovalDeps, old: Cutoffs, removed: Removed): Promise<void> {
  if (lastCutoff(old) === 0) return
  for (let from: OldDelivery | undefined; ;) {
    const found = await oldDeliveries(deps.engine, old, from, ROWS_PER_STEP)
    if (found.length === 0) return
    const counts: Counts = new Map()
    for (const { flock_id } of found) addTo(counts, new Map([[flock_id, 1]]))
    const isDone = await step(deps, async (tx) => {
      await writeRemoved(tx, { ...removed, deliveries: sum(removed.deliveries, counts) })
      return removeDeliveries(tx, found)
    })
    if (!isDone) return
    addTo(removed.deliveries, counts)
    from = found.at(-1)
  }
}

/** Texts and words that nothing speaks of any more. */
async function tidy(deps: RemovalDeps): Promise<void> {
  const { textIds, last } = await unusedTexts(deps.engine)
  for (let at = 0; at < textIds.length; at += ROWS_PER_STEP)
    await step(deps, (tx) => removeTexts(tx, textIds.slice(at, at + ROWS_PER_STEP), last))
  const before = deps.clock.now() - BATCHES_KEPT_MS
  while ((await step(deps, (tx) => removeSpentBatches(tx, before, ROWS_PER_STEP))) === ROWS_PER_STEP);
}

const KINDS = [
  ['incidents', 'incident_days', 'Remove incidents that are done with'],
  ['deliveries', 'delivery_days', 'Remove old deliveries'],
] as const

async function record(
  { reader, writer, clock }: RemovalDeps,
  rules: RetentionRules,
  removed: Removed,
): Promise<void> {
  if (removed.incidents.size + removed.deliveries.size === 0) return
  const names = await flockNames(reader)
  const entries = KINDS.flatMap(([kind, days, what]) =>
    Array.from(removed[kind], ([flockId, count]) => {
      const facts = { count, days: rules.flocks.get(flockId)?.[days] ?? rules[days] }
      const flock = { flockId, flockName: names.get(flockId) ?? '' }
      return systemEntry(clock, 'console', `retention.${kind}`, what, facts, flock)
    }),
  )
  await writer.write(
    (tx) => writeRemoved(tx, { incidents: new Map(), deliveries: new Map() }),
    'care',
    () => entries,
  )
}

function sum(one: Counts, other: ReadonlyMap<string, number>): Counts {
  const sums = new Map(one)
  addTo(sums, other)
  return sums
}

function addTo(sums: Counts, more: ReadonlyMap<string, number>): void {
  for (const [key, n] of more) sums.set(key, (sums.get(key) ?? 0) + n)
}
