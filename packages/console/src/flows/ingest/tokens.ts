// Visits of tokens: which token, whether it fires, and what the channel will answer.
import { bounded } from '@rookery/kernel/bound.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import {
  amendmentOf,
  invocationOf,
  judgeVisit,
  reportedVisits,
  type TokenKind,
} from '@rookery/tokens/token.ts'
import type { Amendment } from '../../stores/incidents/amend.store.ts'
import { joining, loadFirsts } from './first-only.ts'
import { takeTest } from './self-tests.ts'
import { arrivalOf, eventFields, type TokenTouch } from './visit-arrival.ts'
import type { FirstIncidents } from '../../stores/tokens/first-incidents.store.ts'
import { takingKey } from '../raise/arrival.ts'
import type { TokenOutcome, TokenVisit } from './ingest-item.ts'
import type { DeferredTouch } from './deferred-touches.ts'
import type { TouchPositionBatch } from '../../stores/touches/positions.store.ts'
import type { QuietTouch } from './quiet-touches.ts'
import type { Invocation, ReplayBatch } from './replays.ts'
import type { TokenArrival } from './token-arrival.ts'
import type { CachedToken, TokenBatch } from './token-cache.ts'
import type { IgnoreFilter } from './ignore-filter.ts'
import type { AskedVisit } from './stored-visits.ts'
import { reportedVisitorOf, visitorOf, type VisitBatch } from './visit-dedup.ts'

export interface TokenIntake {
  /** One for each visit that is raised. */
  readonly arrivals: readonly TokenArrival[]
  /** What later requests of visits add to their events. */
  readonly amendments: readonly Amendment[]
  /** Visits that raise nothing, and are shown in the history of their token. */
  readonly quiet: readonly QuietTouch[]
  /** Visitors whose visits fired. */
  readonly fired: readonly string[]
  /** In the order of the visits. */
  readonly outcomes: readonly TokenOutcome[]
}

export interface VisitFilters {
  readonly dedup: VisitBatch
  /** Marks what others have recorded of these visits. */
  readonly loadVisits: (asked: readonly AskedVisit[]) => Promise<void>
  readonly filter: IgnoreFilter
  readonly numbers: TouchPositionBatch
  readonly replays: ReplayBatch
  readonly firsts: FirstIncidents
}

/** Requests of one visit are raised once. A visitor on an ignore list does not begin a visit. */
export async function takeTokenVisits(
  known: TokenBatch,
  visits: readonly TokenVisit[],
  { dedup, loadVisits, filter, numbers, replays, firsts }: VisitFilters,
): Promise<TokenIntake> {
  if (visits.length === 0) return { arrivals: [], amendments: [], quiet: [], fired: [], outcomes: [] }
  const tokens = await known.load(visits.map((visit) => visit.tokenId))
  await numbers.load(visits.flatMap(({ number }) => number?.spoolId ?? []))
  const reports = reportsOf(tokens, visits)
  const touches: readonly TokenTouch[] = [...visits, ...[...reports.values()].flat()]
  const invocations = invocationsOf(tokens, touches)
  await replays.load([...invocations.values()])
  await loadVisits(touches.flatMap((touch) => visitorsOf(touch, invocations.get(touch))))
  await loadFirsts(firsts, tokens)
  const arrivals: TokenArrival[] = []
  const amendments: Amendment[] = []
  const quiet = new Map<string, QuietTouch>()
  const fired: string[] = []

  function fire(visit: TokenTouch, token: CachedToken | undefined, kind: TokenKind | undefined): void {
    const invocation = invocations.get(visit)
    const { report } = visit
    const [{ visitor: request }, { visitor }] = visitorsOf(visit, invocation)
    const isRepeated = dedup.isRepeated(visitor, visit.receivedAt)
    if (isRepeated && !report) return void amendments.push(...amendmentIn(dedup, visitor, visit, token, kind))
    const arrival = joining(arrivalOf(visit, token, kind), token, firsts)
    const key = takingKey(arrival)
    const isReplay =
      invocation && !replays.take(invocation, { receivedAt: visit.receivedAt, aggregationKey: key })
    if (isRepeated || (!isReplay && !filter.passes(arrival, visitor))) return
    // Without an id, or without a report, what else comes of the visit is part of it.
    dedup.mark(request, visit.receivedAt, key)
    // The replay of a report says nothing of the machine that it is about.
    if (!(isReplay && report)) dedup.mark(visitor, visit.receivedAt, key)
    quiet.delete(request)
    fired.push(request)
    if (!isReplay) {
      if (token?.first_only === 1) firsts.mark(token.number, key)
      return void arrivals.push(arrival)
    }
    const { srcHost } = visit.visit
    const amendment = replays.amendment(invocation, { srcHost, receivedAt: visit.receivedAt })
    if (amendment) amendments.push(amendment)
  }

  function record(visit: TokenTouch, token: CachedToken, kind: TokenKind | undefined, reason: string): void {
    const visitor = visit.report ? reportedVisitorOf(visit.tokenId, visit.report) : visitorOf(visit)
    if (quiet.has(visitor) || dedup.isRepeated(visitor, visit.receivedAt)) return
    const { number: tokenNumber } = token
    const { receivedAt } = visit
    quiet.set(visitor, { tokenNumber, visitor, receivedAt, reason, fields: eventFields(visit, token, kind) })
  }

  /** Fires, unless the token takes the source as quiet. */
  function fireOrRecord(visit: TokenTouch, token: CachedToken, kind: TokenKind | undefined): void {
    const entry = token.quietSources.entryFor(visit.report?.srcHost ?? visit.visit.srcHost)
    if (entry === undefined) fire(visit, token, kind)
    else record(visit, token, kind, `quiet_sources has ${entry}`)
  }

  const stored = new Set(visits.filter(({ number }) => number && !numbers.take(number)))
  const outcomes = visits.map((visit): TokenOutcome => {
    const token = tokens.get(visit.tokenId)
    if (stored.has(visit)) return outcomeOf(token)
    if (!token) {
      // The id's MAC is ours: it was created after the backup that was restored.
      fire(visit, undefined, undefined)
      return outcomeOf(token)
    }
    if (token.test) {
      const test = takeTest(visit, token, token.test)
      if (test.arrival && !dedup.isRepeated(test.visitor, visit.receivedAt)) {
        dedup.mark(test.visitor, visit.receivedAt, takingKey(test.arrival))
        arrivals.push(test.arrival)
      }
      if (test.quiet) quiet.set(test.visitor, test.quiet)
      return outcomeOf(token)
    }
    const kind = kinds[token.kind]
    const reported = reports.get(visit)
    if (reported) {
      for (const touch of reported) fireOrRecord(touch, token, kind)
      return outcomeOf(token)
    }
    const verdict =
      token.enabled === 1
        ? judgeVisit(kind, visit.visit, token.settings, visit.receivedAt, token.visited)
        : 'nothing'
    if (verdict === 'fire') fireOrRecord(visit, token, kind)
    if (verdict === 'quiet') record(visit, token, kind, 'its kind judges it quiet')
    return outcomeOf(token)
  })
  await numbers.store(Math.max(...visits.map(({ receivedAt }) => receivedAt)))
  return { arrivals, amendments, quiet: [...quiet.values()], fired, outcomes }
}

/** The request's own, and that of the visit which it belongs to. */
function visitorsOf(
  touch: TokenTouch,
  invocation: Invocation | undefined,
): readonly [request: AskedVisit, visit: AskedVisit] {
  const { receivedAt, report } = touch
  const request = visitorOf(touch)
  const requestWithId = invocation === undefined ? request : `${request}|${invocation.id}`
  // Reports of one visit have ids of their own.
  const visitor = report ? reportedVisitorOf(touch.tokenId, report) : requestWithId
  return [
    { visitor: request, receivedAt },
    { visitor, receivedAt },
  ]
}

/** What a later request of a visit adds to its event; nothing once enough was added. */
function amendmentIn(
  dedup: VisitBatch,
  visitor: string,
  { visit, receivedAt }: TokenVisit,
  token: CachedToken | undefined,
  kind: TokenKind | undefined,
): Amendment[] {
  const fields = amendmentOf(kind, visit, token?.settings ?? {}, token?.visited)
  const started = fields && dedup.takeAmendment(visitor, receivedAt)
  return started ? [{ ...started, fields: bounded(fields), amendedAt: receivedAt }] : []
}

const outcomeOf = (token: CachedToken | undefined): TokenOutcome =>
  token
    ? { kind: token.kind, settings: token.settings, visited: token.visited }
    : { kind: undefined, settings: {} }

/** What requests report, by the request; a request that is no report is left out. */
function reportsOf(
  tokens: ReadonlyMap<string, CachedToken>,
  visits: readonly TokenVisit[],
): ReadonlyMap<TokenVisit, readonly TokenTouch[]> {
  const found = new Map<TokenVisit, readonly TokenTouch[]>()
  for (const visit of visits) {
    const token = tokens.get(visit.tokenId)
    if (token?.enabled !== 1) continue
    const reported = reportedVisits(kinds[token.kind], visit.visit, token.settings)
    if (reported)
      found.set(
        visit,
        reported.map((report) => ({ ...visit, report })),
      )
  }
  return found
}

/** Of the visits that carry an id, by the visit. */
function invocationsOf(
  tokens: ReadonlyMap<string, CachedToken>,
  visits: readonly TokenTouch[],
): ReadonlyMap<TokenTouch, Invocation> {
  const found = new Map<TokenTouch, Invocation>()
  for (const visit of visits) {
    const token = tokens.get(visit.tokenId)
    const id = visit.report
      ? visit.report.invocation
      : token && invocationOf(kinds[token.kind], visit.visit, token.settings, visit.receivedAt, token.visited)
    if (token && id !== undefined) found.set(visit, { tokenNumber: token.number, id })
  }
  return found
}

/** Touches that were deferred until the name of their source was known: the same rules, with the token as it is now. */
export async function takeReleased(
  known: TokenBatch,
  deferred: readonly DeferredTouch[],
  { dedup, filter, firsts }: Pick<VisitFilters, 'dedup' | 'filter' | 'firsts'>,
): Promise<TokenArrival[]> {
  if (deferred.length === 0) return []
  const tokens = await known.load(
    deferred.flatMap((it) => (it.visitor === undefined ? [] : [it.arrival.touch.nodeId])),
  )
  await loadFirsts(firsts, tokens)
  const arrivals: TokenArrival[] = []
  for (const { arrival: touched, visitor } of deferred) {
    // A token that was deleted meanwhile has no kind, and its touches are not counted.
    const found = visitor === undefined ? undefined : tokens.get(touched.touch.nodeId)
    const token = found?.kind === '' ? undefined : found
    const arrival = joining(touched, token, firsts)
    if (visitor !== undefined && dedup.isRepeated(visitor, arrival.receivedAt)) continue
    if (!filter.passesDeferred(arrival)) continue
    const key = takingKey(arrival)
    if (visitor !== undefined) dedup.mark(visitor, arrival.receivedAt, key)
    if (token?.first_only === 1) firsts.mark(token.number, key)
    arrivals.push({ ...arrival, token })
  }
  return arrivals
}
