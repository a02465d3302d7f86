// A touch whose source may have an ignored name is stored with its batch, and raised when the name is known, within a
// second. The Bird and the visitor have their answer at once. A killed console leaves the row for the next sweep (decision 0011).
import { sanitizedFields } from '@rookery/kernel/sanitize.ts'
import { task } from '../../../background/task.ts'
import type { AppContext } from '../../../app-context.ts'
import type { Tx } from '../../../db/query.ts'
import type { HostList } from '../../../addresses/host-list.ts'
import {
  addDeferred,
  staleDeferred,
  takeDeferred,
  type DeferredRow,
} from '../../../stores/ignore/deferred.store.ts'
import type { Addition } from '../../../stores/incidents/amend.store.ts'
import type { Arrival } from '../../raise/arrival.ts'
import { sanitizedTouch } from '../sanitize-touch.ts'
import type { IgnoreLists } from './ignore-lists.ts'
import type { Invocation } from './replays.ts'
import { openReverseDns } from './reverse-dns.ts'
import type { VisitKeys } from './visit-keys.ts'

/** What a token's touch is part of. */
export interface DeferredVisit extends Partial<VisitKeys> {
  /** The id that the touch carries: it is used up only once the touch is raised or ignored. */
  readonly invocation?: Invocation | undefined
  /** What it adds to the event of its visit where another request has begun that. */
  readonly addition?: Addition | undefined
  /** For how long a visit that it begins takes amendments, where that is longer than the visit lasts. */
  readonly amendsForMs?: number | undefined
}

/** A touch that waits for the name of its source. */
export interface DeferredTouch extends DeferredVisit {
  readonly arrival: Arrival
}

export interface DeferredTouches {
  isNamed(address: string, hosts: HostList): boolean | undefined
  /** The name of the list that the address has, as far as that is known. */
  listedName(address: string): string | undefined
  /** Stores them; the answer is called after the commit, and looks the names up. */
  defer(tx: Tx, touches: readonly DeferredTouch[], hosts: HostList): Promise<() => void>
  /** Removes and answers those that are still stored. */
  take(tx: Tx, deferredIds: readonly number[], isSanitized: boolean): Promise<DeferredTouch[]>
  stop(): void
}

export interface DeferredTouchesDeps extends Pick<AppContext, 'reader' | 'world' | 'log' | 'background'> {
  readonly ignoreLists: () => Promise<IgnoreLists>
  /** Removes them and raises those that count; resolves after the commit. */
  readonly release: (deferredIds: readonly number[]) => Promise<void>
}

const SWEEP_MS = 5_000
const TASK = task(
  'deferred_touches',
  SWEEP_MS,
  'Raises touches whose source was being looked up when a console was killed',
)
const ROWS_PER_SWEEP = 1_000
const nothing = (): void => undefined

export function openDeferredTouches({
  reader,
  world,
  log,
  background,
  ignoreLists,
  release,
}: DeferredTouchesDeps): DeferredTouches {
  const { clock } = world
  const reverseDns = openReverseDns(world)
  let isStopped = false

  /** Looks each source up once, and releases its touches. */
  async function lookUpAndRelease(waiting: ReadonlyMap<string, number[]>, hosts: HostList): Promise<void> {
    await Promise.all(
      [...waiting].map(async ([source, deferredIds]) => {
        if (!hosts.isEmpty) await reverseDns.lookUp(source, hosts)
        // What a stopped console deferred is released by the next one.
        if (!isStopped) await release(deferredIds)
      }),
    )
  }

  async function sweep(): Promise<void> {
    const rows = await staleDeferred(reader, clock.now() - SWEEP_MS, ROWS_PER_SWEEP)
    if (rows.length === 0 || isStopped) return
    const { hosts } = await ignoreLists()
    await lookUpAndRelease(
      bySource(rows.map((row) => [touchOf(row).arrival.touch.srcHost, row.deferred_id])),
      hosts,
    )
  }

  const sweeps = background.loop(TASK, {
    clock,
    async run() {
      await sweep()
      return clock.now() + SWEEP_MS
    },
    // A database that is away is reported where it is needed.
    onError(error) {
      log.debug({ err: error }, 'could not release deferred touches; retrying in 5 s')
      return SWEEP_MS
    },
  })
  sweeps.wake()

  return {
    isNamed: reverseDns.isNamed,
    listedName: reverseDns.listedName,
    async defer(tx, touches, hosts) {
      if (touches.length === 0) return nothing
      const first = await tx.updatedIds(touches.length)
      const deferred_at = clock.now()
      await addDeferred(
        tx,
        touches.map((it, index) => ({ deferred_id: first + index, deferred_at, body: bodyOf(it) })),
      )
      const waiting = bySource(touches.map(({ arrival }, index) => [arrival.touch.srcHost, first + index]))
      return () =>
        void lookUpAndRelease(waiting, hosts).catch((error: unknown) =>
          log.warn({ err: error }, 'could not release deferred touches; retrying in 5 s'),
        )
    },
    async take(tx, deferredIds, isSanitized) {
      const touches = (await takeDeferred(tx, deferredIds)).map(touchOf)
      if (!isSanitized) return touches
      return touches.map(({ arrival, invocation: _, addition, ...visit }) => ({
        ...visit,
        addition: addition && { ...addition, fields: sanitizedFields(addition.fields) },
        arrival: { ...arrival, touch: sanitizedTouch(arrival.touch) },
      }))
    },
    stop() {
      isStopped = true
      void sweeps.stop()
    },
  }
}

const touchOf = ({ body }: DeferredRow): DeferredTouch => JSON.parse(body) as DeferredTouch

/** The fields of an arrival alone: a batch adds its own to the object. */
function bodyOf({ arrival, ...visit }: DeferredTouch): string {
  const { touch, logtype, subject, receivedAt, late, sentByBird, annotations } = arrival
  const kept = { touch, logtype, subject, receivedAt, late, sentByBird, annotations }
  return JSON.stringify({ arrival: kept, ...visit })
}

function bySource(
  touches: readonly (readonly [source: string, deferredId: number])[],
): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [source, deferredId] of touches) {
    const ids = found.get(source) ?? []
    ids.push(deferredId)
    found.set(source, ids)
  }
  return found
}
