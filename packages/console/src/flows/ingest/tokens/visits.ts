// Visits of tokens: which token, whether it fires, and what the channel will answer.
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import { invocationOf, nonceOf, type TokenKind, type Verdict } from '@rookery/tokens/token.ts'
import type { Amendment } from '../../../stores/incidents/amend.store.ts'
import type { FirstIncidents } from '../../../stores/tokens/first-incidents.store.ts'
import type { TouchPositionBatch } from '../../../stores/touches/positions.store.ts'
import { takingKey } from '../../raise/arrival.ts'
import type { DeferredTouch } from '../filters/deferred-touches.ts'
import { joining, loadFirsts } from '../filters/first-only.ts'
import type { TouchFilter } from '../filters/filter.ts'
import type { JudgedVisit, Judgement, TokenOutcome, TokenVisit } from '../ingest-item.ts'
import type { Invocation, ReplayBatch } from '../filters/replays.ts'
import { takeTest } from '../filters/self-tests.ts'
import type { AskedVisit } from '../filters/stored-visits.ts'
import type { TokenArrival } from './arrival.ts'
import type { CachedToken, TokenBatch } from './token-cache.ts'
import { amendmentIn, keysOf, noteNonce, openIntake, type Intake, type TakenVisits } from './intake.ts'
import { judgementOf } from './judging.ts'
import type { TokenTouch } from './visit-arrival.ts'
import type { VisitBatch } from '../filters/visit-dedup.ts'
import { askedOf, joinOpen, keysOfDeferred, markVisit } from '../filters/visit-keys.ts'

export interface TokenIntake extends TakenVisits {
  /** In the order of the visits. */
  readonly outcomes: readonly TokenOutcome[]
}

export interface VisitFilters {
  readonly dedup: VisitBatch
  /** Marks what others have recorded of these visits. */
  readonly loadVisits: (asked: () => readonly AskedVisit[]) => Promise<void>
  readonly filter: TouchFilter
  readonly numbers: TouchPositionBatch
  readonly replays: ReplayBatch
  readonly firsts: FirstIncidents
}

/** Requests of one visit are raised once. A visitor on an ignore list does not begin a visit. */
export async function takeTokenVisits(
  known: TokenBatch,
  visits: readonly JudgedVisit[],
  { dedup, loadVisits, filter, numbers, replays, firsts }: VisitFilters,
): Promise<TokenIntake> {
  if (visits.length === 0) return { arrivals: [], amendments: [], quiet: [], fired: [], outcomes: [] }
  const tokens = await known.load(visits.map((visit) => visit.tokenId))
  await numbers.load(visits.flatMap(({ number }) => number?.spoolId ?? []))
  const judgements = judgementsOf(tokens, visits)
  const reports = reportsOf(judgements)
  const touches: readonly TokenTouch[] = [...visits, ...[...reports.values()].flat()]
  const invocations = invocationsOf(tokens, touches)
  await replays.load([...invocations.values()])
  await loadVisits(() =>
    touches.flatMap((touch) => askedOf(keysOf(touch, kindOf(tokens, touch), invocations.get(touch)), touch)),
  )
  await loadFirsts(firsts, tokens)
  const intake = openIntake({ dedup, filter, replays, firsts, invocations })
  const stored = new Set(visits.filter(({ number }) => number && !numbers.take(number)))
  for (const visit of visits)
    if (!stored.has(visit))
      takeVisit(intake, visit, tokens.get(visit.tokenId), reports.get(visit), judgements.get(visit)?.verdict)
  await numbers.store(Math.max(...visits.map(({ receivedAt }) => receivedAt)))
  return { ...intake.taken(), outcomes: visits.map(({ tokenId }) => outcomeOf(tokens.get(tokenId))) }
}

function takeVisit(
  intake: Intake,
  visit: TokenVisit,
  token: CachedToken | undefined,
  reported: readonly TokenTouch[] | undefined,
  verdict: Verdict = 'fire',
): void {
  // The id's MAC is ours: the token was created after the backup that was restored.
  if (!token) return intake.fire(visit, undefined, undefined)
  if (token.test) return intake.takeTest(takeTest(visit, token, token.test), visit.receivedAt)
  const kind = kinds[token.kind]
  if (reported) return reported.forEach((touch) => intake.fire(touch, token, kind))
  if (token.enabled !== 1 || intake.takeReplay(visit, token, kind)) return
  if (verdict === 'fire') intake.fire(visit, token, kind)
  if (verdict === 'quiet') intake.record(visit, token, kind, 'its kind judges it quiet')
}

const kindOf = (tokens: ReadonlyMap<string, CachedToken>, { tokenId }: TokenVisit): TokenKind | undefined =>
  kinds[tokens.get(tokenId)?.kind ?? '']

const outcomeOf = (token: CachedToken | undefined): TokenOutcome =>
  token
    ? { kind: token.kind, settings: token.settings, visited: token.visited }
    : { kind: undefined, settings: {} }

/** Of the visits of tokens that are known. */
function judgementsOf(
  tokens: ReadonlyMap<string, CachedToken>,
  visits: readonly JudgedVisit[],
): ReadonlyMap<TokenVisit, Judgement> {
  const found = new Map<TokenVisit, Judgement>()
  for (const visit of visits) {
    const token = tokens.get(visit.tokenId)
    if (token && !token.test) found.set(visit, judgementOf(visit, token))
  }
  return found
}

/** What requests report, by the request; a request that is no report is left out. */
function reportsOf(
  judgements: ReadonlyMap<TokenVisit, Judgement>,
): ReadonlyMap<TokenVisit, readonly TokenTouch[]> {
  const found = new Map<TokenVisit, readonly TokenTouch[]>()
  for (const [visit, { reported }] of judgements)
    if (reported)
      found.set(
        visit,
        reported.map((report) => ({ ...visit, report })),
      )
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
    const invocation = token && invocationIn(visit, token)
    if (invocation) found.set(visit, invocation)
  }
  return found
}

function invocationIn(
  { visit, report, receivedAt }: TokenTouch,
  { kind: name, number: tokenNumber, settings, visited }: CachedToken,
): Invocation | undefined {
  const kind = kinds[name]
  const id = report ? report.invocation : invocationOf(kind, visit, settings, receivedAt, visited)
  if (id !== undefined) return { tokenNumber, id }
  const nonce = report ? undefined : nonceOf(kind, visit)
  return nonce === undefined ? undefined : { tokenNumber, id: nonce, isNonce: true }
}

/** Touches that were deferred until the name of their source was known: the same rules, with the token as it is now. */
export async function takeReleased(
  known: TokenBatch,
  deferred: readonly DeferredTouch[],
  { dedup, filter, replays, firsts }: Pick<VisitFilters, 'dedup' | 'filter' | 'replays' | 'firsts'>,
): Promise<{ readonly arrivals: readonly TokenArrival[]; readonly amendments: readonly Amendment[] }> {
  if (deferred.length === 0) return { arrivals: [], amendments: [] }
  const tokens = await known.load(
    deferred.flatMap((it) => (it.visitor === undefined ? [] : [it.arrival.touch.nodeId])),
  )
  await loadFirsts(firsts, tokens)
  await replays.load(deferred.flatMap(({ invocation }) => invocation ?? []))
  const arrivals: TokenArrival[] = []
  const amendments: Amendment[] = []
  for (const { arrival: touched, invocation, addition, amendsForMs, ...visit } of deferred) {
    const keys = keysOfDeferred(visit)
    // A token that was deleted meanwhile has no kind, and its touches are not counted.
    const found = keys === undefined ? undefined : tokens.get(touched.touch.nodeId)
    const token = found?.kind === '' ? undefined : found
    const arrival = joining(touched, token, firsts)
    const { receivedAt } = arrival
    const started = keys && (joinOpen(dedup, keys, receivedAt) ?? dedup.startOf(keys.visitor, receivedAt))
    if (keys && started) {
      noteNonce(replays, invocation, started)
      const amendment = amendmentIn(dedup, { visitor: keys.visitor, receivedAt }, addition)
      if (amendment) amendments.push(amendment)
      continue
    }
    const key = takingKey(arrival)
    const isReplay = invocation && !replays.take(invocation, { receivedAt, aggregationKey: key })
    if (!isReplay && !filter.passesDeferred(arrival)) continue
    if (keys && !(isReplay && invocation.isNonce)) markVisit(dedup, keys, receivedAt, key, amendsForMs)
    if (isReplay) {
      const amendment = replays.amendment(invocation, { srcHost: touched.touch.srcHost, receivedAt })
      if (amendment) amendments.push(amendment)
      continue
    }
    if (token?.first_only === 1) firsts.mark(token.number, key)
    arrivals.push({ ...arrival, token })
  }
  return { arrivals, amendments }
}
