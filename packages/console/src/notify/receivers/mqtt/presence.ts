// One connection to each broker stays: by it the states of Flocks and Birds are retained there, and its last will says when the
// console is gone. Receivers with the same broker, user and prefix share it; of several consoles one has them all, by lease.
import { task } from '../../../background/task.ts'
import { openLease } from '../../../db/lease.ts'
import { receiversOfKinds } from '../../../stores/webhooks/kinds.store.ts'
import { findReceiver } from '../../../stores/webhooks/store.ts'
import type { ReceiverWork, WorkDeps } from '../../receiver-kind.ts'
import { openReceiver, type Receiver } from '../../receiver.ts'
import { openLink, type Link } from './link.ts'

const EVERY_MS = 1_000
/** How long an end waits for what is under way, and for what a connection says last. */
const GRACE_MS = 1_000
const TASK = task(
  'mqtt_states',
  EVERY_MS,
  'Publishes the states of Flocks and Birds that changed to brokers of MQTT',
)

interface Broker {
  readonly receiver: Receiver
  /** Flocks whose alerts are on. */
  readonly flockIds: string[]
}

export function openPresence(deps: WorkDeps): ReceiverWork {
  const { world, log, background } = deps
  const { clock } = world
  const links = new Map<string, Link>()
  let isHeld = false

  /** A broker, or the database, may not answer. */
  const soon = (ending: Promise<unknown>): Promise<unknown> =>
    Promise.race([ending, new Promise<void>((resolve) => clock.after(GRACE_MS, resolve))])

  async function look(): Promise<number | undefined> {
    const brokers = isHeld ? await brokersOf(deps) : new Map<string, Broker>()
    await endAll(
      (key) => (brokers.get(key)?.flockIds.length ?? 0) === 0,
      (key) => isHeld && !brokers.has(key),
    )
    for (const [key, { receiver, flockIds }] of brokers) {
      // The lease may be lost meanwhile; the next look ends what is left.
      if (flockIds.length === 0 || !isHeld) continue
      const link = links.get(key) ?? openLink(deps, receiver)
      links.set(key, link)
      link.refresh(flockIds)
    }
    return isHeld ? clock.now() + EVERY_MS : undefined
  }

  /** `forgets`: nothing of it stays at the broker. */
  async function endAll(isOver: (key: string) => boolean, forgets: (key: string) => boolean): Promise<void> {
    const over = [...links].filter(([key]) => isOver(key))
    if (over.length === 0) return
    for (const [key] of over) links.delete(key)
    await soon(Promise.all(over.map(([key, link]) => link.end(forgets(key)))))
    // Others may have the same topics.
    for (const link of links.values()) link.again()
  }

  const loop = background.loop(TASK, {
    clock,
    run: look,
    onError(error) {
      log.warn({ err: error }, 'cannot read which brokers of MQTT there are; retrying in 1 s')
      return EVERY_MS
    },
  })
  function hold(next: boolean): void {
    isHeld = next
    loop.wake()
  }
  const lease = openLease(
    deps,
    'mqtt',
    () => hold(true),
    () => hold(false),
  )

  return {
    async stop() {
      isHeld = false
      await soon(loop.stop())
      await endAll(
        () => true,
        () => false,
      )
      await lease.stop()
    },
  }
}

/** By all that a connection depends on; those whose Flocks are off stand there without one. */
async function brokersOf({ config, vault, active: allActive }: WorkDeps): Promise<Map<string, Broker>> {
  const receivers = await config.get('brokers of mqtt', async (db) => {
    const rows = await receiversOfKinds(db, ['mqtt'])
    const found = await Promise.all(rows.map(({ webhook_id }) => findReceiver(db, webhook_id)))
    return found.filter((row) => row !== undefined).map((row) => openReceiver(vault, row))
  })
  const active = await allActive()
  const brokers = new Map<string, Broker>()
  for (const receiver of receivers) {
    const key = JSON.stringify([receiver.url, receiver.secret, receiver.settings])
    const broker = brokers.get(key) ?? { receiver, flockIds: [] }
    brokers.set(key, broker)
    if (active.get(receiver.flockId)?.includes(receiver.webhookId)) broker.flockIds.push(receiver.flockId)
  }
  return brokers
}
