// An event is a visit: requests of one visitor to one token, within a time that the channel sets, are one event.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { AMENDS_FOR_MS, visitorByKind, type ReportedVisit, type TokenKind } from '@rookery/tokens/token.ts'
import { channelNames, channelOf, isChannelName } from '@rookery/tokens/visit.ts'
import type { TokenVisit } from '../ingest-item.ts'

export interface VisitDedup {
  /** Begins a batch: what it marks counts only once `commit` says that it is stored. */
  batch(): VisitBatch
  /** The visits that go on, oldest first. */
  ongoing(now: number): MarkedVisit[]
}

export interface StartedVisit {
  /** When its first request was received. */
  readonly at: number
  /** Of its event. */
  readonly aggregationKey: string
}

export interface MarkedVisit extends StartedVisit {
  readonly visitor: string
}

export interface VisitBatch {
  /** Whether the request is part of a visit that was marked. */
  isRepeated(visitor: string, at: number): boolean
  /** The visit that goes on, or that began less than `withinMs` ago; undefined for none. */
  startOf(visitor: string, at: number, withinMs?: number): StartedVisit | undefined
  /** Begins a visit; `aggregationKey` is that of its event. It is remembered for `keptMs` where that is longer than it lasts. */
  mark(visitor: string, at: number, aggregationKey: string, keptMs?: number): void
  /** The visit as of `startOf`, if its event may be amended once more. */
  takeAmendment(visitor: string, at: number, withinMs?: number): StartedVisit | undefined
  /** Marks a visit that another process has recorded. */
  adopt(visitor: string, visit: StartedVisit): void
  /** The visits that were marked in this batch, without those that were adopted. */
  begun(): MarkedVisit[]
  commit(): void
}

/** The same text for every request of one visitor to one token; it begins with the channel. */
export const visitorOf = (
  { tokenId, visit }: Pick<TokenVisit, 'tokenId' | 'visit'>,
  kind: TokenKind | undefined,
): string => `${visit.channel}|${tokenId}|${visitorByKind(kind, visit) ?? channelOf(visit).visitor(visit)}`

/** The same for a visit that a request reports. */
export const reportedVisitorOf = (tokenId: string, { visitor }: Pick<ReportedVisit, 'visitor'>): string =>
  `${REPORTED}|${tokenId}|${visitor}`

/** In the place of a channel. */
const REPORTED = 'reported'
const REPORTED_VISIT_MS = 60_000

/** How long the visit of a visitor lasts. */
function visitMs(visitor: string): number {
  const channel = visitor.slice(0, visitor.indexOf('|'))
  if (channel === REPORTED) return REPORTED_VISIT_MS
  // A deferred touch may be of a channel that this console does not have.
  return isChannelName(channel) ? channelOf({ channel }).visitMs : 0
}

/** After this time every visit has ended, and takes no amendment. */
export const MAX_VISIT_MS = Math.max(
  REPORTED_VISIT_MS,
  AMENDS_FOR_MS,
  ...channelNames.map((channel) => channelOf({ channel }).visitMs),
)

/** Visits that are remembered, so that their further requests join them. */
const VISITORS = limit('visitors_of_tokens', 100_000)
/** Each amendment is written: a visitor must not cause more than a few. */
const AMENDMENTS = limit('amendments_of_a_visit', 8)

interface Mark extends StartedVisit {
  amendments: number
  /** How long it is remembered, where that is longer than the visit lasts. */
  keptMs: number
  readonly isAdopted: boolean
}

export function visitDedup(): VisitDedup {
  const marks = boundedMap<string, Mark>(VISITORS)
  // Consoles commit in another order than they receive: the first request of a visit may come after one that is marked.
  const hasEnded = (visitor: string, at: number, now: number, withinMs = 0): boolean =>
    Math.abs(now - at) >= Math.max(visitMs(visitor), withinMs)

  /** The map lies in the order of marks; an ended visit that is left behind one that goes on leaves later. */
  function forgetEnded(now: number): void {
    for (const [visitor, { at, keptMs }] of marks.entries()) {
      if (!hasEnded(visitor, at, now, keptMs)) return
      marks.delete(visitor)
    }
  }

  return {
    ongoing: (now) =>
      [...marks.entries()].flatMap(([visitor, { at, aggregationKey, keptMs }]) =>
        hasEnded(visitor, at, now, keptMs) ? [] : [{ visitor, at, aggregationKey }],
      ),
    batch() {
      const begun = new Map<string, Mark>()
      const known = (visitor: string): Mark | undefined => begun.get(visitor) ?? marks.peek(visitor)
      const find = (visitor: string, now: number, withinMs?: number): Mark | undefined => {
        const mark = known(visitor)
        return mark === undefined || hasEnded(visitor, mark.at, now, withinMs) ? undefined : mark
      }
      return {
        isRepeated: (visitor, now) => find(visitor, now) !== undefined,
        startOf: find,
        mark: (visitor, at, aggregationKey, keptMs = 0) =>
          begun.set(visitor, { at, aggregationKey, amendments: 0, keptMs, isAdopted: false }),
        adopt(visitor, visit) {
          // What was added to it still counts.
          if (known(visitor)?.at === visit.at) return
          begun.set(visitor, { ...visit, amendments: 0, keptMs: 0, isAdopted: true })
        },
        begun: () =>
          [...begun].flatMap(([visitor, { at, aggregationKey, isAdopted }]) =>
            isAdopted ? [] : [{ visitor, at, aggregationKey }],
          ),
        takeAmendment(visitor, now, withinMs = 0) {
          const mark = find(visitor, now, withinMs)
          if (mark === undefined) return undefined
          mark.keptMs = Math.max(mark.keptMs, withinMs)
          if (++mark.amendments <= AMENDMENTS.max) return mark
          AMENDMENTS.hit()
          return undefined
        },
        commit() {
          if (begun.size === 0) return
          let latest = -Infinity
          for (const { at } of begun.values()) latest = Math.max(latest, at)
          forgetEnded(latest)
          for (const [visitor, mark] of begun) marks.set(visitor, mark)
        },
      }
    },
  }
}
