// A request that touches a token, as it is raised, and the keys of its event.
import { bounded } from '@rookery/kernel/bound.ts'
import type { EventFields } from '@rookery/kernel/touch.ts'
import { describeVisit, type ReportedVisit, type TokenKind } from '@rookery/tokens/token.ts'
import { channelOf } from '@rookery/tokens/visit.ts'
import { clientNote } from './client-note.ts'
import type { TokenVisit } from '../ingest-item.ts'
import { tokenArrival, type TokenArrival } from './arrival.ts'
import type { CachedToken } from './token-cache.ts'

/** A request that touches a token, or one of the visits that it reports. */
export interface TokenTouch extends TokenVisit {
  readonly report?: ReportedVisit
}

export const arrivalOf = (
  tokenVisit: TokenTouch,
  token: CachedToken | undefined,
  kind: TokenKind | undefined,
): TokenArrival => {
  const { tokenId, visit, srcPort, dstHost, receivedAt, report } = tokenVisit
  return tokenArrival(token, kind, {
    tokenId,
    receivedAt,
    srcPort,
    dstHost,
    at: receivedAt,
    srcHost: report?.srcHost ?? visit.srcHost,
    dstPort: visit.dstPort,
    fields: eventFields(tokenVisit, token, kind),
  })
}

export function eventFields(
  { tokenId, visit, receivedAt, report }: TokenTouch,
  token: CachedToken | undefined,
  kind: TokenKind | undefined,
): EventFields {
  // What reports visits elsewhere is no client of the token.
  const userAgent = report ? undefined : channelOf(visit).userAgent?.(visit)
  const looks_like = userAgent === undefined ? undefined : clientNote(userAgent)
  return bounded({
    decoytoken: tokenId,
    type: token?.kind ?? 'orphan',
    dst_port: visit.dstPort,
    src_host: report?.srcHost ?? visit.srcHost,
    event_name: report?.eventName ?? channelOf(visit).eventName(visit),
    headers: visit.headers,
    ...(report
      ? report.fields
      : describeVisit(kind, visit, token?.settings ?? {}, receivedAt, token?.visited)),
    ...(looks_like !== undefined && { looks_like }),
  })
}
