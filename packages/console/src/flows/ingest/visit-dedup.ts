// An event is a visit: requests of one visitor to one token, within a time that the channel sets, are one event.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { channelOf, isChannelName } from '@rookery/tokens/visit.ts'
import type { TokenVisit } from './ingest-item.ts'

export interface VisitDedup {
  /** Begins a batch: what it marks counts only once `commit` says that it is stored. */
  batch(): VisitBatch
}

export interface VisitBatch {
  /** Whether the request is part of a visit that was marked. */
  isRepeated(visitor: string, at: number): boolean
  mark(visitor: string, at: number): void
  commit(): void
}

/** The same text for every request of one visitor to one token; it begins with the channel. */
export const visitorOf = ({ tokenId, visit }: Pick<TokenVisit, 'tokenId' | 'visit'>): string =>
  `${visit.channel}|${tokenId}|${channelOf(visit).visitor(visit)}`

/** How long the visit of a visitor lasts. */
function visitMs(visitor: string): number {
  const channel = visitor.slice(0, visitor.indexOf('|'))
  // A deferred touch may be of a channel that this console does not have.
  return isChannelName(channel) ? channelOf({ channel }).visitMs : 0
}

const VISITORS = limit('visitors_of_tokens', 100_000)

export function visitDedup(): VisitDedup {
  const markedAt = boundedMap<string, number>(VISITORS)
  const hasEnded = (visitor: string, at: number, now: number): boolean =>
    now - at >= visitMs(visitor) || now < at

  /** The map lies in the order of marks; an ended visit that is left behind one that goes on leaves later. */
  function forgetEnded(now: number): void {
    for (const [visitor, at] of markedAt.entries()) {
      if (!hasEnded(visitor, at, now)) return
      markedAt.delete(visitor)
    }
  }

  return {
    batch() {
      const marked = new Map<string, number>()
      return {
        isRepeated(visitor, now) {
          const at = marked.get(visitor) ?? markedAt.peek(visitor)
          return at !== undefined && !hasEnded(visitor, at, now)
        },
        mark: (visitor, at) => void marked.set(visitor, at),
        commit() {
          for (const [visitor, at] of marked) {
            forgetEnded(at)
            markedAt.set(visitor, at)
          }
        },
      }
    },
  }
}
