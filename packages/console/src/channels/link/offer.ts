// One settings bundle on its way to a Bird: offered, fetched in pieces.
import { createHash } from 'node:crypto'
import { CHUNK_BYTES, type Body } from '@rookery/link/messages.ts'
import type { BirdRow } from '../../stores/birds/store.ts'

export interface Offer {
  readonly body: Body<'SETTINGS_OFFER'>
  /** The piece that was asked for; empty bytes past the end. */
  chunk(fetch: Body<'SETTINGS_FETCH'>): Body<'SETTINGS_CHUNK'>
}

export function makeOffer({ settings, settings_tag: tag, settings_seq: seq }: BirdRow): Offer {
  const bytes = Buffer.from(settings, 'utf8')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return {
    body: { tag, seq, sha256, size: bytes.length },
    chunk: ({ offset, length }) => ({
      tag,
      offset,
      bytes: bytes.subarray(offset, offset + Math.min(length, CHUNK_BYTES)).toString('base64'),
    }),
  }
}
