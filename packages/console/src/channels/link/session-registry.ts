// The sessions of all Birds that this console has a link with: notified of changes, checked for silence.
import type { Clock } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { Background } from '../../background/background.ts'
import { task } from '../../background/task.ts'
import type { Query } from '../../db/query.ts'
import { birdsChangedSince, latestLinkSeq } from '../../stores/birds/link-changes.store.ts'
import type { BirdSession } from './bird-session/driver.ts'

export interface SessionRegistry {
  /** Makes this the Bird's session; an older one is superseded. */
  add(nodeId: string, session: BirdSession): void
  remove(nodeId: string, session: BirdSession): void
  /** Looks for changes now; they were just committed by this process. */
  wake(): void
  /** Birds that have a link. */
  count(): number
  /** Says goodbye to all and closes their links. */
  stop(): Promise<void>
}

/** Changes that another console made reach a link within this. */
const POLL_MS = 500
const TICK_MS = 30_000
const CHANGES = task('bird_changes', POLL_MS, 'Hands changes of Birds to their links')
const TICKS = task('link_ticks', TICK_MS, 'Looks for links that are silent')

export async function openSessionRegistry(
  reader: Query,
  clock: Clock,
  log: Logger,
  background: Background,
): Promise<SessionRegistry> {
  const sessions = new Map<string, BirdSession>()
  let latest = await latestLinkSeq(reader)

  const poll = background.loop(CHANGES, {
    clock,
    async run() {
      for (const { node_id, link_seq } of await birdsChangedSince(reader, latest)) {
        latest = Math.max(latest, link_seq)
        sessions.get(node_id)?.notify('changed')
      }
      return clock.now() + POLL_MS
    },
    onError(error) {
      log.warn({ err: error }, 'changes of Birds could not be read; retrying in 0.5 s')
      return POLL_MS
    },
  })
  const ticks = background.loop(TICKS, {
    clock,
    run() {
      for (const session of [...sessions.values()]) session.notify('tick')
      return Promise.resolve(clock.now() + TICK_MS)
    },
    onError: () => TICK_MS,
  })
  poll.wake()
  ticks.wake()

  return {
    add(nodeId, session) {
      const older = sessions.get(nodeId)
      sessions.set(nodeId, session)
      older?.notify('superseded')
    },
    remove(nodeId, session) {
      if (sessions.get(nodeId) === session) sessions.delete(nodeId)
    },
    wake: poll.wake,
    count: () => sessions.size,
    async stop() {
      await Promise.all([poll.stop(), ticks.stop()])
      for (const session of [...sessions.values()]) session.notify('stopping')
    },
  }
}
