// Visits of tokens: whose they are, whether they fire, and what the channel will answer.
import { bounded } from '@rookery/kernel/bound.ts'
import { DEFAULT_FLOCK } from '@rookery/kernel/ids.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { TokenKind, TokenSettings, Visit } from '@rookery/tokens/token.ts'
import { logtypeOf } from '../../logtypes.ts'
import type { Arrival } from '../raise/arrival.ts'
import { annotate } from './annotate.ts'
import type { TokenOutcome, TokenVisit } from './entry.ts'
import type { Held } from './hold.ts'
import type { CachedToken, TokenBatch } from './token-cache.ts'
import type { Sieve } from './sieve.ts'
import { visitorOf, type VisitBatch } from './visits.ts'

/** A token's touch that is raised, with the token while it is known. */
export type TokenArrival = Arrival & { readonly token: CachedToken | undefined }

export interface TokenIntake {
  /** One for each visit that is raised. */
  readonly arrivals: readonly TokenArrival[]
  /** In the order of the visits. */
  readonly outcomes: readonly TokenOutcome[]
}

const ORPHAN = '17999'

/** Requests of one visit (same source and agent within 10 s) are raised once; who is ignored has not visited. */
export async function takeTokenVisits(
  known: TokenBatch,
  visits: readonly TokenVisit[],
  visiting: VisitBatch,
  sieve: Sieve,
): Promise<TokenIntake> {
  if (visits.length === 0) return { arrivals: [], outcomes: [] }
  const tokens = await known.load(visits.map((visit) => visit.tokenId))
  const arrivals: TokenArrival[] = []

  function fire(
    visit: TokenVisit,
    token: CachedToken | undefined,
    kind: TokenKind | undefined,
    own: TokenSettings,
  ): void {
    const visitor = visitorOf(visit)
    if (visiting.isRepeated(visitor, visit.receivedAt)) return
    const arrival = arrive(visit, token, kind, own)
    if (!sieve.passes(arrival, visitor)) return
    visiting.mark(visitor, visit.receivedAt)
    arrivals.push(arrival)
  }

  const outcomes = visits.map((visit): TokenOutcome => {
    const token = tokens.get(visit.tokenId)
    if (!token) {
      // The id's MAC is ours: planted before the backup that was restored.
      fire(visit, undefined, undefined, {})
      return { kind: undefined, settings: {} }
    }
    const own = token.settings
    const kind = kinds[token.kind]
    if (token.enabled === 1 && judge(kind, visit.visit, own)) fire(visit, token, kind, own)
    return { kind: token.kind, settings: own }
  })
  return { arrivals, outcomes }
}

/** What waited for a name, after all: the same rules, with the token as it is now. */
export async function takeReleased(
  known: TokenBatch,
  held: readonly Held[],
  visiting: VisitBatch,
  sieve: Sieve,
): Promise<TokenArrival[]> {
  if (held.length === 0) return []
  const tokens = await known.load(
    held.flatMap((it) => (it.visitor === undefined ? [] : [it.arrival.touch.nodeId])),
  )
  const arrivals: TokenArrival[] = []
  for (const { arrival, visitor } of held) {
    if (visitor !== undefined && visiting.isRepeated(visitor, arrival.receivedAt)) continue
    if (!sieve.passesAfterAll(arrival)) continue
    if (visitor !== undefined) visiting.mark(visitor, arrival.receivedAt)
    // One that was deleted meanwhile has no kind, and nothing left to count.
    const token = visitor === undefined ? undefined : tokens.get(arrival.touch.nodeId)
    arrivals.push({ ...arrival, token: token?.kind === '' ? undefined : token })
  }
  return arrivals
}

function judge(kind: TokenKind | undefined, visit: Visit, settings: TokenSettings): boolean {
  try {
    return (kind?.judge?.(visit, settings) ?? 'fire') === 'fire'
  } catch {
    return true
  }
}

function arrive(
  { tokenId, visit, srcPort, dstHost, receivedAt }: TokenVisit,
  token: CachedToken | undefined,
  kind: TokenKind | undefined,
  settings: TokenSettings,
): TokenArrival {
  const logtype = logtypeOf(kind?.descriptor.logtype ?? ORPHAN)
  const annotations = annotate(token?.kind ?? '', visit.srcHost)
  return {
    token,
    ...(annotations && { annotations }),
    logtype,
    receivedAt,
    late: false,
    subject: {
      flockId: token?.flock_id ?? DEFAULT_FLOCK,
      name: 'N/A',
      memo: token?.memo ?? 'A token that this console made and no longer knows',
      ipAddress: '',
      ippers: '',
      macAddress: '',
      muted: false,
    },
    touch: {
      nodeId: tokenId,
      logtype: logtype.logtype,
      instance: token?.kind ?? 'orphan',
      at: receivedAt,
      srcHost: visit.srcHost,
      srcPort,
      dstHost,
      dstPort: visit.dstPort,
      fields: bounded({
        decoytoken: tokenId,
        type: token?.kind ?? 'orphan',
        dst_port: visit.dstPort,
        src_host: visit.srcHost,
        event_name: '',
        headers: visit.headers,
        ...describe(kind, visit, settings),
      }),
    },
  }
}

function describe(
  kind: TokenKind | undefined,
  visit: Visit,
  settings: TokenSettings,
): ReturnType<NonNullable<TokenKind['describe']>> {
  try {
    return kind?.describe?.(visit, settings) ?? {}
  } catch {
    return {}
  }
}
