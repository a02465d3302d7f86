// The connection to one broker: what changed is published, what is gone is taken back, and a lost connection is made again.
import type { Publication } from '../../senders/mqtt-packets.ts'
import { KEEP_ALIVE_S, openMqttSession, type MqttSession } from '../../senders/mqtt-session.ts'
import type { WorkDeps } from '../../receiver-kind.ts'
import type { Receiver } from '../../receiver.ts'
import { clientId } from './sender.ts'
import { readStates } from './states.ts'
import { retainedOf, statusOf } from './topics.ts'

export interface Link {
  /** Publishes what changed of these Flocks, unless it is at it already. */
  refresh(flockIds: readonly string[]): void
  /** Publishes everything with the next refresh. */
  again(): void
  /** Says that the console is offline, or takes back all that is retained, and leaves. */
  end(forgets: boolean): Promise<void>
}

const RETRY_MS = 10_000
/** Reading states takes at most a twentieth of the time. */
const SHARE = 20
const PING_MS = (KEEP_ALIVE_S * 1_000) / 3

export function openLink(deps: WorkDeps, receiver: Receiver): Link {
  const { world, log, consoleUrl } = deps
  const { clock } = world
  const prefix = receiver.settings['prefix'] ?? ''
  /** Topic to what is retained there; empty where that is not known. */
  const kept = new Map<string, string>()
  let session: MqttSession | undefined
  let refreshing: Promise<void> | undefined
  let notBefore = 0
  let heardAt = 0
  let isFailing = false
  let isOver = false

  function again(): void {
    for (const topic of kept.keys()) kept.set(topic, '')
  }

  async function wantedOf(flockIds: readonly string[]): Promise<readonly Publication[]> {
    const startedAt = clock.now()
    const wanted: Publication[] = []
    for (const flockId of flockIds) {
      const states = await readStates(deps, flockId)
      if (states) wanted.push(...retainedOf(prefix, consoleUrl(), states.flock, states.birds))
    }
    notBefore = clock.now() + SHARE * (clock.now() - startedAt)
    return [...wanted, statusOf(prefix, 'online')]
  }

  /** What differs from what is kept; what nobody wants any more is emptied. */
  function changesTo(wanted: readonly Publication[]): readonly Publication[] {
    const topics = new Set(wanted.map(({ topic }) => topic))
    const gone = [...kept.keys()].filter((topic) => !topics.has(topic)).map(emptied)
    return [...gone, ...wanted.filter(({ topic, payload }) => kept.get(topic) !== payload)]
  }

  async function publish(to: MqttSession, changes: readonly Publication[]): Promise<void> {
    if (changes.length === 0 && clock.now() - heardAt < PING_MS) return
    if (changes.length === 0) await to.ping()
    else await to.publish(changes)
    heardAt = clock.now()
    for (const { topic, payload } of changes) {
      if (payload === '') kept.delete(topic)
      else kept.set(topic, payload)
    }
  }

  async function run(flockIds: readonly string[]): Promise<void> {
    if (clock.now() < notBefore) return
    try {
      const wanted = await wantedOf(flockIds)
      if (!session?.isOpen()) {
        again()
        const will = statusOf(prefix, 'offline')
        session = await openMqttSession(deps, receiver, { clientId: clientId(receiver.webhookId), will })
      }
      if (!isOver) await publish(session, changesTo(wanted))
      isFailing = false
    } catch (error) {
      notBefore = clock.now() + RETRY_MS
      const broker = { err: error, host: receiver.host, webhookId: receiver.webhookId }
      if (!isFailing) log.warn(broker, 'cannot publish states to a broker of MQTT; retrying every 10 s')
      isFailing = true
    }
  }

  return {
    again,
    refresh: (flockIds) => void (refreshing ??= run(flockIds).finally(() => (refreshing = undefined))),
    async end(forgets) {
      isOver = true
      await refreshing
      if (!session?.isOpen()) return
      const last = forgets ? [...kept.keys()].map(emptied) : [statusOf(prefix, 'offline')]
      await session.publish(last).catch(() => undefined)
      session.end()
    },
  }
}

const emptied = (topic: string): Publication => ({ topic, payload: '', retain: true })
