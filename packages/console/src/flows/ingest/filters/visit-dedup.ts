// An event is a visit: requests of one visitor to one token, within a time that the channel sets, are one event.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { visitorByKind, type ReportedVisit, type TokenKind } from '@rookery/tokens/token.ts'
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
  /** The visit that goes on; undefined for none. */
  startOf(visitor: string, at: number): StartedVisit | undefined
  /** Begins a visit; `aggregationKey` is that of its event. */
  mark(visitor: string, at: number, aggregationKey: string): void
  /** The visit that goes on, if its event may be amended once more. */
  takeAmendment(visitor: string, at: number): StartedVisit | undefined
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

/** After this time every visit has ended. */
export const LONGEST_VISIT_MS = Math.max(
  REPORTED_VISIT_MS,
  ...channelNames.map((channel) => channelOf({ channel }).visitMs),
)

/** Visits that are remembered, so that their further requests join them. */
const VISITORS = limit('visitors_of_tokens', 100_000)
/** Each amendment is written: a visitor must not cause more than a few. */
const AMENDMENTS = limit('amendments_of_a_visit', 8)

interface Mark extends StartedVisit {
  amendments: number
  readonly isAdopted: boolean
}

export function visitDedup(): VisitDedup {
  const marks = boundedMap<string, Mark>(VISITORS)
  // Consoles commit in another order than they receive: the first request of a visit may come after one that is marked.
  const hasEnded = (visitor: string, at: number, now: number): boolean =>
    Math.abs(now - at) >= visitMs(visitor)

  /** The map lies in the order of marks; an ended visit that is left behind one that goes on leaves later. */
  function forgetEnded(now: number): void {
    for (const [visitor, { at }] of marks.entries()) {
      if (!hasEnded(visitor, at, now)) return
      marks.delete(visitor)
    }
  }

  return {
    ongoing: (now) =>
      [...marks.entries()].flatMap(([visitor, { at, aggregationKey }]) =>
        hasEnded(visitor, at, now) ? [] : [{ visitor, at, aggregationKey }],
      ),
    batch() {
      const begun = new Map<string, Mark>()
      const find = (visitor: string, now: number): Mark | undefined => {
        const mark = begun.get(visitor) ?? marks.peek(visitor)
        return mark === undefined || hasEnded(visitor, mark.at, now) ? undefined : mark
      }
      return {
        isRepeated: (visitor, now) => find(visitor, now) !== undefined,
        startOf: find,
        mark: (visitor, at, aggregationKey) =>
          void begun.set(visitor, { at, aggregationKey, amendments: 0, isAdopted: false }),
        adopt: (visitor, visit) => void begun.set(visitor, { ...visit, amendments: 0, isAdopted: true }),
        begun: () =>
          [...begun].flatMap(([visitor, { at, aggregationKey, isAdopted }]) =>
            isAdopted ? [] : [{ visitor, at, aggregationKey }],
          ),
        takeAmendment(visitor, now) {
          const mark = find(visitor, now)
          if (mark === undefined) return undefined
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
