// What becomes of the visits of one batch: raised, added to an event, or recorded as quiet.
import { bounded } from '@rookery/kernel/bound.ts'
import { amendmentOf, amendsForMs, visitorDetailOf, type TokenKind } from '@rookery/tokens/token.ts'
import { channelOf } from '@rookery/tokens/visit.ts'
import type { Addition, Amendment } from '../../../stores/incidents/amend.store.ts'
import type { FirstIncidents } from '../../../stores/tokens/first-incidents.store.ts'
import { takingKey } from '../../raise/arrival.ts'
import { joining } from '../filters/first-only.ts'
import type { TouchFilter } from '../filters/filter.ts'
import type { TokenVisit } from '../ingest-item.ts'
import type { QuietTouch } from '../filters/quiet-touches.ts'
import type { Invocation, ReplayBatch } from '../filters/replays.ts'
import type { TestTouch } from '../filters/self-tests.ts'
import type { AskedVisit } from '../filters/stored-visits.ts'
import type { TokenArrival } from './arrival.ts'
import type { CachedToken } from './token-cache.ts'
import { arrivalOf, eventFields, type TokenTouch } from './visit-arrival.ts'
import { joinOpen, markVisit, visitKeys, type VisitKeys } from '../filters/visit-keys.ts'
import { reportedVisitorOf, visitorOf, type StartedVisit, type VisitBatch } from '../filters/visit-dedup.ts'

export interface TakenVisits {
  /** One for each visit that is raised. */
  readonly arrivals: readonly TokenArrival[]
  /** What later requests of visits add to their events. */
  readonly amendments: readonly Amendment[]
  /** Visits that raise nothing, and are shown in the history of their token. */
  readonly quiet: readonly QuietTouch[]
  /** Visitors whose visits fired. */
  readonly fired: readonly string[]
}

export interface IntakeDeps {
  readonly dedup: VisitBatch
  readonly filter: TouchFilter
  readonly replays: ReplayBatch
  readonly firsts: FirstIncidents
  /** Ids that touches carry, by the touch. */
  readonly invocations: ReadonlyMap<TokenTouch, Invocation>
}

export interface Intake {
  /** The visit fires: it is raised, unless its source is quiet to the token, or it is part of a visit or a replay. */
  fire(touch: TokenTouch, token: CachedToken | undefined, kind: TokenKind | undefined): void
  /**
   * Whether the request itself came before: then it adds to the event of that visit, or is recorded where that raised nothing. It
   * begins no visit, since its source may be forged.
   */
  takeReplay(touch: TokenTouch, token: CachedToken, kind: TokenKind | undefined): boolean
  /** The visit raises nothing, and is recorded with the reason. */
  record(touch: TokenTouch, token: CachedToken, kind: TokenKind | undefined, reason: string): void
  /** A visit of a self-test. */
  takeTest(test: TestTouch, receivedAt: number): void
  taken(): TakenVisits
}

export function openIntake({ dedup, filter, replays, firsts, invocations }: IntakeDeps): Intake {
  const arrivals: TokenArrival[] = []
  const amendments: Amendment[] = []
  const quiet = new Map<string, QuietTouch>()
  const fired: string[] = []

  function raise(touch: TokenTouch, token: CachedToken | undefined, kind: TokenKind | undefined): void {
    const invocation = invocations.get(touch)
    const { report, receivedAt } = touch
    const keys = keysOf(touch, kind, invocation)
    const { visitor, within } = keys
    const [request = visitor] = within
    const keptMs = report ? undefined : amendsForMs(kind, touch.visit)
    const remembered = joinOpen(dedup, keys, receivedAt) ?? dedup.startOf(visitor, receivedAt, keptMs)
    // Of the requests that come once the visit has ended, those alone belong to it that say what they add.
    const hasEnded = remembered !== undefined && !dedup.isRepeated(visitor, receivedAt)
    const withinMs = hasEnded && addedBy(touch, token, kind) ? keptMs : undefined
    const started = hasEnded && withinMs === undefined ? undefined : remembered
    if (started && !report) {
      noteNonce(replays, invocation, started)
      const amendment = amendmentIn(dedup, { visitor, receivedAt, withinMs }, addedBy(touch, token, kind))
      return void (amendment && amendments.push(amendment))
    }
    const arrival = joining(arrivalOf(touch, token, kind), token, firsts)
    const key = takingKey(arrival)
    const isReplay = invocation && replays.isSeen(invocation)
    const verdict =
      started || isReplay
        ? undefined
        : filter.judge(arrival, () => ({
            ...keys,
            invocation,
            addition: report ? undefined : addedBy(touch, token, kind),
            amendsForMs: keptMs,
          }))
    if (verdict === 'deferred') return
    if (invocation && !isReplay) replays.take(invocation, { receivedAt, aggregationKey: key })
    if (started || verdict === 'ignored') return
    // Without an id, or without a report, what else comes of the visit is part of it.
    // The replay of a report says nothing of the machine that it is about.
    if (isReplay && report) dedup.mark(request, receivedAt, key, keptMs)
    else markVisit(dedup, keys, receivedAt, key, keptMs)
    quiet.delete(request)
    fired.push(request)
    if (!isReplay) {
      if (token?.first_only === 1) firsts.mark(token.number, key)
      arrivals.push(arrival)
      return
    }
    const amendment = replays.amendment(invocation, { srcHost: touch.visit.srcHost, receivedAt })
    if (amendment) amendments.push(amendment)
  }

  function record(touch: TokenTouch, token: CachedToken, kind: TokenKind | undefined, reason: string): void {
    const { receivedAt, report } = touch
    noteNonce(replays, invocations.get(touch), { at: receivedAt, aggregationKey: '' })
    const visitor = report ? reportedVisitorOf(touch.tokenId, report) : visitorOf(touch, kind)
    if (quiet.has(visitor) || dedup.isRepeated(visitor, receivedAt)) return
    const fields = eventFields(touch, token, kind)
    quiet.set(visitor, { tokenNumber: token.number, visitor, receivedAt, reason, fields })
  }

  return {
    fire(touch, token, kind) {
      const entry = token?.quietSources.entryFor(touch.report?.srcHost ?? touch.visit.srcHost)
      if (token === undefined || entry === undefined) raise(touch, token, kind)
      else record(touch, token, kind, `quiet_sources has ${entry}`)
    },
    takeReplay(touch, token, kind) {
      const invocation = invocations.get(touch)
      if (!invocation?.isNonce || !replays.isSeen(invocation)) return false
      const { receivedAt, visit } = touch
      const amendment = replays.amendment(invocation, { srcHost: visit.srcHost, receivedAt })
      if (amendment?.aggregationKey === '') record(touch, token, kind, 'it was sent before')
      else if (amendment) amendments.push(amendment)
      return true
    },
    record,
    takeTest({ visitor, arrival, quiet: recorded }, receivedAt) {
      if (arrival && !dedup.isRepeated(visitor, receivedAt)) {
        dedup.mark(visitor, receivedAt, takingKey(arrival))
        arrivals.push(arrival)
      }
      if (recorded) quiet.set(visitor, recorded)
    },
    taken: () => ({ arrivals, amendments, quiet: [...quiet.values()], fired }),
  }
}

/** By what the visit is known that the touch belongs to; the request's own visitor comes first. */
export function keysOf(
  touch: TokenTouch,
  kind: TokenKind | undefined,
  invocation: Invocation | undefined,
): VisitKeys {
  const { report, visit } = touch
  const request = visitorOf(touch, kind)
  // Reports of one visit have ids of their own.
  if (report) return { visitor: reportedVisitorOf(touch.tokenId, report), within: [request], isOpen: false }
  const isApart = invocation !== undefined && !invocation.isNonce
  return visitKeys(request, isApart ? [invocation.id] : visitorDetailOf(kind, visit))
}

/** A request that is sent again later is a replay of its visit. */
export function noteNonce(
  replays: ReplayBatch,
  invocation: Invocation | undefined,
  { at, aggregationKey }: StartedVisit,
): void {
  if (invocation?.isNonce) replays.take(invocation, { receivedAt: at, aggregationKey })
}

/** What the request adds to the event of its visit where it is a later one; undefined for nothing. */
function addedBy(
  { visit }: TokenVisit,
  token: CachedToken | undefined,
  kind: TokenKind | undefined,
): Addition | undefined {
  const fields = amendmentOf(kind, visit, token?.settings ?? {}, token?.visited)
  return fields && { fields: bounded(fields), growingKey: channelOf(visit).growingKey }
}

/** What a later request of a visit adds to its event; undefined for nothing, or once enough was added. */
export function amendmentIn(
  dedup: VisitBatch,
  { visitor, receivedAt, withinMs }: AskedVisit & { readonly withinMs?: number | undefined },
  addition: Addition | undefined,
): Amendment | undefined {
  const started = addition && dedup.takeAmendment(visitor, receivedAt, withinMs)
  return started && { ...started, ...addition, amendedAt: receivedAt }
}
