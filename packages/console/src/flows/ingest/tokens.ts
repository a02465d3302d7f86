// Visits of tokens: whose they are, whether they fire, and what the channel will answer.
import { bounded } from '@rookery/kernel/bound.ts'
import { DEFAULT_FLOCK } from '@rookery/kernel/ids.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { TokenKind, TokenSettings, Visit } from '@rookery/tokens/token.ts'
import type { Tx } from '../../db/query.ts'
import { logtypeOf } from '../../logtypes.ts'
import { loadTokenSubjects, type TokenSubject } from '../../stores/tokens/store.ts'
import type { Arrival } from '../raise/arrival.ts'
import type { TokenOutcome, TokenVisit } from './entry.ts'

export interface TokenIntake {
  /** One for each visit that fires, with the index of its visit. */
  readonly arrivals: readonly (Arrival & { readonly token: TokenSubject | undefined })[]
  /** In the order of the visits. */
  readonly outcomes: readonly TokenOutcome[]
}

const ORPHAN = '17999'

/** `repeated` tells of a visit that is part of one already counted (same source and agent within 10 s). */
export async function takeTokenVisits(
  tx: Tx,
  visits: readonly TokenVisit[],
  repeated: (visit: TokenVisit) => boolean,
): Promise<TokenIntake> {
  if (visits.length === 0) return { arrivals: [], outcomes: [] }
  const tokens = await loadTokenSubjects(tx, [...new Set(visits.map((visit) => visit.tokenId))])
  const settings = new Map<string, TokenSettings>()
  const arrivals: (Arrival & { token: TokenSubject | undefined })[] = []

  const outcomes = visits.map((visit): TokenOutcome => {
    const token = tokens.get(visit.tokenId)
    if (!token) {
      // The id's MAC is ours: planted before the backup that was restored.
      if (!repeated(visit)) arrivals.push(arrive(visit, undefined, undefined, {}))
      return { kind: undefined, settings: {} }
    }
    const own = settings.get(token.token_id) ?? (JSON.parse(token.settings) as TokenSettings)
    settings.set(token.token_id, own)
    const kind = kinds[token.kind]
    const fires = token.enabled === 1 && judge(kind, visit.visit, own) && !repeated(visit)
    if (fires) arrivals.push(arrive(visit, token, kind, own))
    return { kind: token.kind, settings: own }
  })
  return { arrivals, outcomes }
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
  token: TokenSubject | undefined,
  kind: TokenKind | undefined,
  settings: TokenSettings,
): Arrival & { token: TokenSubject | undefined } {
  const logtype = logtypeOf(kind?.descriptor.logtype ?? ORPHAN)
  return {
    token,
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
