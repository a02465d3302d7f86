// All links of this console: one per Bird, told of changes, watched for silence.
import type { Logger } from 'pino'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Query } from '../../db/query.ts'
import { alertedSince, newestLinkSeq } from '../../stores/birds/link.store.ts'
import type { Talk } from './talk.ts'

export interface Hub {
  arrived(nodeId: string, talk: Talk): void
  left(nodeId: string, talk: Talk): void
  /** Something was committed that links may have to hear of: look now, not at the next round. */
  kick(): void
  /** Birds on the line. */
  count(): number
  talks(): Iterable<Talk>
  stop(): void
}

/** Changes made by another console reach a link within this. */
const POLL_MS = 500
const PING_MS = 30_000
/** Three heartbeats missed. */
const SILENCE_MS = 90_000

export async function openHub(reader: Query, clock: Clock, log: Logger): Promise<Hub> {
  const talks = new Map<string, Talk>()
  let newest = await newestLinkSeq(reader)
  let looking: Promise<void> | undefined
  let isStale = false
  let isStopped = false

  function kick(): void {
    if (isStopped) return
    isStale = true
    looking ??= look().finally(() => (looking = undefined))
  }

  async function look(): Promise<void> {
    while (isStale) {
      isStale = false
      const alerted = await alertedSince(reader, newest).catch((error: unknown) => {
        log.warn({ err: error }, 'could not look what links must hear')
        return []
      })
      for (const { node_id, link_seq } of alerted) {
        newest = Math.max(newest, link_seq)
        talks
          .get(node_id)
          ?.attend()
          .catch((error: unknown) => {
            log.warn({ err: error, nodeId: node_id }, 'a Bird could not be told')
            talks.get(node_id)?.line.close('it could not be told of a change')
          })
      }
    }
  }

  function poll(): void {
    kick()
    cancelPoll = clock.after(POLL_MS, poll)
  }
  let cancelPoll = clock.after(POLL_MS, poll)

  function watch(): void {
    const now = clock.now()
    for (const { line } of talks.values()) {
      if (now - line.heardAt() > SILENCE_MS) line.close(`silent for ${SILENCE_MS / 1000} s`)
      else line.ping()
    }
    cancelWatch = clock.after(PING_MS, watch)
  }
  let cancelWatch = clock.after(PING_MS, watch)

  return {
    arrived(nodeId, talk) {
      const older = talks.get(nodeId)
      talks.set(nodeId, talk)
      older?.line.refuse('superseded', 'A newer link of this Bird was opened.')
    },
    left(nodeId, talk) {
      if (talks.get(nodeId) === talk) talks.delete(nodeId)
    },
    kick,
    count: () => talks.size,
    talks: () => talks.values(),
    stop() {
      isStopped = true
      cancelPoll()
      cancelWatch()
    },
  }
}
