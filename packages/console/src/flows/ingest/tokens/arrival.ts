// A touch of a token as `raise` takes it.
import { DEFAULT_FLOCK } from '@rookery/kernel/ids.ts'
import type { Touch } from '@rookery/kernel/touch.ts'
import type { TokenKind } from '@rookery/tokens/token.ts'
import { logtypeOf } from '../../../logtypes.ts'
import type { Arrival } from '../../raise/arrival.ts'
import { annotate } from './annotate.ts'
import type { CachedToken } from './token-cache.ts'

/** A token's touch that is raised, with the token while it is known. */
export type TokenArrival = Arrival & { readonly token: CachedToken | undefined }

export type TouchFacts = Pick<Touch, 'at' | 'srcHost' | 'srcPort' | 'dstHost' | 'dstPort' | 'fields'> & {
  readonly tokenId: string
  readonly receivedAt: number
}

const ORPHAN = '17999'

export function tokenArrival(
  token: CachedToken | undefined,
  kind: TokenKind | undefined,
  { tokenId, receivedAt, at, srcHost, srcPort, dstHost, dstPort, fields }: TouchFacts,
): TokenArrival {
  const logtype = logtypeOf(kind?.descriptor.logtype ?? ORPHAN)
  const annotations = annotate(token?.kind ?? '', srcHost)
  return {
    token,
    ...(annotations && { annotations }),
    logtype,
    receivedAt,
    late: false,
    subject: {
      flockId: token?.flock_id ?? DEFAULT_FLOCK,
      name: 'N/A',
      memo: token?.memo ?? 'This console created the token, and its database does not have it',
      ipAddress: '',
      ippers: '',
      macAddress: '',
      muted: false,
    },
    touch: {
      nodeId: tokenId,
      logtype: logtype.logtype,
      instance: token?.kind ?? 'orphan',
      at,
      srcHost,
      srcPort,
      dstHost,
      dstPort,
      fields,
    },
  }
}
