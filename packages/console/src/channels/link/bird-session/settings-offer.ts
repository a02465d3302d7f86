// One settings bundle on its way to a Bird: offered, then fetched in chunks.
import { createHash } from 'node:crypto'
import { CHUNK_BYTES, type Body } from '@rookery/link/messages.ts'
import type { BirdRow } from '../../../stores/birds/store.ts'

export interface SettingsOffer {
  readonly body: Body<'SETTINGS_OFFER'>
  /** The settings' JSON text, UTF-8. */
  readonly bytes: Buffer
  /** How many of them are recorded as fetched. */
  readonly copied: number
}

export function settingsOffer({
  settings,
  settings_tag: tag,
  settings_seq: seq,
}: Pick<BirdRow, 'settings' | 'settings_tag' | 'settings_seq'>): SettingsOffer {
  const bytes = Buffer.from(settings, 'utf8')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { body: { tag, seq, sha256, size: bytes.length }, bytes, copied: 0 }
}

/** The chunk that was asked for; empty bytes past the end. */
export const settingsChunk = (
  { body: { tag }, bytes }: SettingsOffer,
  { offset, length }: Body<'SETTINGS_FETCH'>,
): Body<'SETTINGS_CHUNK'> => ({
  tag,
  offset,
  bytes: bytes.subarray(offset, offset + Math.min(length, CHUNK_BYTES)).toString('base64'),
})

/** How far the Bird has fetched the bundle with this chunk; undefined when that is recorded, or not worth a write. */
export function newlyCopied(
  { bytes, copied }: SettingsOffer,
  { offset, length }: Body<'SETTINGS_FETCH'>,
): number | undefined {
  const end = Math.min(offset + Math.min(length, CHUNK_BYTES), bytes.length)
  const isNews = end - copied >= CHUNK_BYTES || (end === bytes.length && end > copied)
  return isNews ? end : undefined
}
