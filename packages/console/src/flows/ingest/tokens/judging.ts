// Kinds judge visits before the transaction that stores them: strangers write what is judged, and a transaction holds up all. A
// turn of the event loop judges for a few milliseconds, one visit of each source after the other.
import { isDeepStrictEqual } from 'node:util'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import { judgeVisit, reportedVisits } from '@rookery/tokens/token.ts'
import { sourceNetwork } from '../../../addresses/source-network.ts'
import type { JudgedVisit, Judgement, TokenVisit } from '../ingest-item.ts'
import type { CachedToken, TokenCache } from './token-cache.ts'

const TURN_MS = 5

interface PendingVisit {
  readonly visit: TokenVisit
  readonly token: CachedToken
  readonly submit: (judged: JudgedVisit) => void
}

/** Hands the visit over once it is judged: at once where the token is cached, and the turn has time. */
export function judging(tokens: Pick<TokenCache, 'peek' | 'read'>, now = () => performance.now()) {
  /** By source, each in the order of arrival; the source that has waited longest comes first. */
  const waiting = new Map<string, PendingVisit[]>()
  let spentMs = 0
  let isTurn = false

  function judged(visit: TokenVisit, token: CachedToken): JudgedVisit {
    if (!isTurn) setImmediate(nextTurn)
    isTurn = true
    const begunMs = now()
    const judgement = judge(visit, token)
    spentMs += now() - begunMs
    return { ...visit, judgement }
  }

  function nextTurn(): void {
    spentMs = 0
    isTurn = waiting.size > 0
    if (isTurn) setImmediate(nextTurn)
    while (spentMs < TURN_MS) {
      const [first] = waiting
      if (!first) return
      const [source, visits] = first
      const next = visits.shift()
      // The source comes last now.
      waiting.delete(source)
      if (visits.length > 0) waiting.set(source, visits)
      next?.submit(judged(next.visit, next.token))
    }
  }

  function add(visit: TokenVisit, token: CachedToken, submit: (judged: JudgedVisit) => void): void {
    if (waiting.size === 0 && spentMs < TURN_MS) return submit(judged(visit, token))
    const source = sourceNetwork(visit.visit.srcHost)
    const known = waiting.get(source)
    if (known) known.push({ visit, token, submit })
    else waiting.set(source, [{ visit, token, submit }])
  }

  return (visit: TokenVisit, submit: (judged: JudgedVisit) => void): void => {
    const cached = tokens.peek(visit.tokenId)
    if (cached) return add(visit, cached, submit)
    tokens.read(visit.tokenId).then(
      (token) => (token ? add(visit, token, submit) : submit(visit)),
      // That the database is away is said where the visit is stored.
      () => submit(visit),
    )
  }
}

function judge({ visit, receivedAt }: TokenVisit, token: CachedToken): Judgement {
  const { settings, visited, enabled } = token
  const kind = kinds[token.kind]
  // What a token that is switched off reports is not asked for.
  if (enabled !== 1) return { token, verdict: 'nothing' }
  const reported = reportedVisits(kind, visit, settings)
  return {
    token,
    reported,
    verdict: reported ? 'nothing' : judgeVisit(kind, visit, settings, receivedAt, visited),
  }
}

/** The judgement of the visit by the token as it is now: anew only where the token was changed or read meanwhile. */
export function judgementOf(visit: JudgedVisit, token: CachedToken): Judgement {
  const { judgement } = visit
  const isSame =
    judgement &&
    judgement.token.kind === token.kind &&
    judgement.token.enabled === token.enabled &&
    (judgement.token.settings === token.settings ||
      isDeepStrictEqual(judgement.token.settings, token.settings))
  return isSame ? judgement : judge(visit, token)
}
