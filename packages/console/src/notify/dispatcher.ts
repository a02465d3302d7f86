// Notify: the transactional outbox on one side, one queue per receiver on the other.
import type { Base } from '../base.ts'
import { lastDelivery, receiversSince } from '../stores/deliveries/queue.store.ts'
import { removeOldDeliveries } from '../stores/deliveries/store.ts'
import { receiversWithWaiting } from '../stores/webhooks/store.ts'
import { openLane, type Alerting, type Lane } from './lane.ts'
import { openLease, type Lease } from './lease.ts'
import { openLoop } from './loop.ts'
import { openResults } from './results.ts'

export interface Dispatcher {
  /** Goes on with what waits; before that nothing is sent. */
  start(): void
  /** Messages were committed: sends them now. */
  wake(): void
  /** A receiver has just been seen to work. */
  probe(webhookId: string): void
  /** Resolves once every queue is empty or waits for its time, and all results are stored. */
  idle(): Promise<void>
  /** Lets what is being sent end (at most a second), stores the results. */
  stop(): Promise<void>
}

/** Where the alerts of other consoles are noticed. */
const POLL_MS = 500
const BROKEN_MS = 1_000
const GRACE_MS = 1_000
const KEPT_MS = 90 * 86_400_000
const TIDY_MS = 3_600_000
const PER_STEP = 1_000

export function openDispatcher(alerting: Alerting & Pick<Base, 'engine'>): Dispatcher {
  const { reader, writer, engine, world, log } = alerting
  const { clock } = world
  const results = openResults(alerting)
  const lanes = new Map<string, Lane>()
  let holding = false
  /** Everything up to this number is known to its lane; undefined until the outbox was read. */
  let seen: number | undefined
  /** How often the work was taken over or let go. */
  let turns = 0

  function wakeLane(webhookId: string, which: { apart: boolean }): void {
    // The work may have been lost while the outbox was read.
    if (!holding) return
    const lane = lanes.get(webhookId) ?? openLane(webhookId, alerting, results, scan.wake)
    lanes.set(webhookId, lane)
    lane.wake(which)
  }

  /** Tells the lanes what came since the last look. Numbers rise with commits, so nothing is passed over. */
  async function look(): Promise<number | undefined> {
    if (!holding) return undefined
    const turn = turns
    const from = seen ?? (await lastDelivery(reader))
    const old = seen === undefined ? await receiversWithWaiting(reader) : []
    const { receivers, last } = await receiversSince(reader, from)
    // Lost and got back meanwhile: `begin` has asked for another look.
    if (turn !== turns) return undefined
    seen = last
    for (const webhookId of old) wakeLane(webhookId, { apart: true })
    for (const { webhookId, apart } of receivers) wakeLane(webhookId, { apart })
    return engine.name === 'sqlite' ? undefined : clock.now() + POLL_MS
  }

  async function tidy(): Promise<number | undefined> {
    if (!holding) return undefined
    const before = clock.now() - KEPT_MS
    while (holding && (await writer.write((tx) => removeOldDeliveries(tx, before, PER_STEP))) === PER_STEP);
    return clock.now() + TIDY_MS
  }

  const onError = (error: unknown): number => {
    log.warn({ err: error }, 'cannot read the outbox; trying again')
    return BROKEN_MS
  }
  const scan = openLoop(clock, look, onError)
  const tidying = openLoop(clock, tidy, onError)

  function begin(): void {
    holding = true
    turns++
    seen = undefined
    scan.wake()
    tidying.wake()
  }
  function letGo(): void {
    holding = false
    turns++
    for (const it of lanes.values()) it.stop()
    lanes.clear()
  }
  let lease: Lease | undefined

  async function allIdle(): Promise<void> {
    await lease?.asked()
    await scan.idle()
    await tidying.idle()
    await Promise.all([...lanes.values()].map((it) => it.idle()))
    await results.settled()
  }

  return {
    start: () => (lease = openLease(alerting, 'notify', begin, letGo)),
    wake: scan.wake,
    probe: (webhookId) => lanes.get(webhookId)?.probe(),
    idle: allIdle,
    async stop() {
      scan.stop()
      tidying.stop()
      const open = [...lanes.values()]
      letGo()
      await Promise.race([
        Promise.all(open.map((it) => it.idle())).then(() => results.settled()),
        new Promise<void>((resolve) => clock.after(GRACE_MS, resolve)),
      ])
      await lease?.stop()
      results.close()
    },
  }
}
