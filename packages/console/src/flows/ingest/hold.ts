// Holding back: a touch whose source may bear an ignored name is stored with its batch, and raised once the name is
// known, within a second. Nobody waits for it: the Bird and the visitor have their answer, and other touches go on.
// Whoever is killed meanwhile leaves the row, and the next sweep raises it (decision 0011).
import { workerLoop } from '@rookery/kernel/worker-loop.ts'
import type { Base } from '../../base.ts'
import type { Tx } from '../../db/query.ts'
import type { HostList } from '../../net/host-list.ts'
import { addHeld, staleHeld, takeHeld, type HeldRow } from '../../stores/ignore/held.store.ts'
import type { Arrival } from '../raise/arrival.ts'
import { sanitizedTouch } from './sanitize-touch.ts'
import type { Ignoring } from './ignore.ts'
import { openReverseDns } from './reverse-dns.ts'

/** A touch that waits. */
export interface Held {
  readonly arrival: Arrival
  /** Whose visit it is part of, for a token's. */
  readonly visitor: string | undefined
}

export interface Holding {
  isNamed(address: string, hosts: HostList): boolean | undefined
  /** Stores them; what it answers is called after the commit, and looks the names up. */
  hold(tx: Tx, held: readonly Held[], hosts: HostList): Promise<() => void>
  /** Takes those out that are still there. */
  take(tx: Tx, heldIds: readonly number[], isDefused: boolean): Promise<Held[]>
  stop(): void
}

export interface HoldingNeeds extends Pick<Base, 'reader' | 'world' | 'log'> {
  readonly ignoring: () => Promise<Ignoring>
  /** Takes them out and raises those that count; resolves after the commit. */
  readonly release: (heldIds: readonly number[]) => Promise<void>
}

const SWEEP_MS = 5_000
const MOST_SWEPT = 1_000
const nothing = (): void => undefined

export function openHolding({ reader, world, log, ignoring, release }: HoldingNeeds): Holding {
  const { clock } = world
  const sources = openReverseDns(world)
  let isStopped = false

  /** Asks for each source once, and releases what it touched. */
  async function askAndRelease(waiting: ReadonlyMap<string, number[]>, hosts: HostList): Promise<void> {
    await Promise.all(
      [...waiting].map(async ([source, heldIds]) => {
        if (!hosts.isEmpty) await sources.lookUp(source, hosts)
        // What a stopped console holds is the next one's.
        if (!isStopped) await release(heldIds)
      }),
    )
  }

  async function sweep(): Promise<void> {
    const rows = await staleHeld(reader, clock.now() - SWEEP_MS, MOST_SWEPT)
    if (rows.length === 0 || isStopped) return
    const { hosts } = await ignoring()
    await askAndRelease(bySource(rows.map((row) => [heldIn(row).arrival.touch.srcHost, row.held_id])), hosts)
  }

  const sweeps = workerLoop({
    clock,
    async run() {
      await sweep()
      return clock.now() + SWEEP_MS
    },
    // A database that is away is reported where it is needed.
    onError(error) {
      log.debug({ err: error }, 'held touches wait for the next sweep')
      return SWEEP_MS
    },
  })
  sweeps.wake()

  return {
    isNamed: sources.isNamed,
    async hold(tx, held, hosts) {
      if (held.length === 0) return nothing
      const first = await tx.updatedIds(held.length)
      const held_at = clock.now()
      await addHeld(
        tx,
        held.map((it, index) => ({ held_id: first + index, held_at, body: bodyOf(it) })),
      )
      const waiting = bySource(held.map(({ arrival }, index) => [arrival.touch.srcHost, first + index]))
      return () =>
        void askAndRelease(waiting, hosts).catch((error: unknown) =>
          log.warn({ err: error }, 'held touches wait for the next sweep'),
        )
    },
    async take(tx, heldIds, isDefused) {
      const held = (await takeHeld(tx, heldIds)).map(heldIn)
      if (!isDefused) return held
      return held.map((it) => ({
        ...it,
        arrival: { ...it.arrival, touch: sanitizedTouch(it.arrival.touch) },
      }))
    },
    stop() {
      isStopped = true
      void sweeps.stop()
    },
  }
}

const heldIn = ({ body }: HeldRow): Held => JSON.parse(body) as Held

/** What an arrival is, without what a batch notes beside it. */
function bodyOf({ arrival, visitor }: Held): string {
  const { touch, logtype, subject, receivedAt, late, annotations } = arrival
  return JSON.stringify({ arrival: { touch, logtype, subject, receivedAt, late, annotations }, visitor })
}

function bySource(touches: readonly (readonly [source: string, heldId: number])[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [source, heldId] of touches) {
    const ids = found.get(source) ?? []
    ids.push(heldId)
    found.set(source, ids)
  }
  return found
}
