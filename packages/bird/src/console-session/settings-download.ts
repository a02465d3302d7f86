// An offered settings bundle, fetched in pieces. Pure: `fetchFrame` asks for the next piece, `addChunk` takes it.
import { CHUNK_BYTES, type Body, type Frame } from '@rookery/link/messages.ts'
import { readBundle, type Bundle } from '../active-settings/bundle.ts'

export interface Download {
  readonly offer: Body<'SETTINGS_OFFER'>
  readonly chunks: readonly Buffer[]
  /** Bytes so far. */
  readonly offset: number
}

export const startDownload = (offer: Body<'SETTINGS_OFFER'>): Download => ({ offer, chunks: [], offset: 0 })

export function fetchFrame({ offer: { tag, size }, offset }: Download): Frame {
  return { kind: 'SETTINGS_FETCH', body: { tag, offset, length: Math.min(CHUNK_BYTES, size - offset) } }
}

/** The download with this chunk, unchanged when another one was asked for; the bundle once it is complete; or what is wrong, as a phrase. */
export function addChunk(
  download: Download,
  { tag, offset: from, bytes }: Body<'SETTINGS_CHUNK'>,
): { readonly download: Download } | { readonly bundle: Bundle } | { readonly problem: string } {
  const { offer, chunks, offset } = download
  if (tag !== offer.tag || from !== offset) return { download }
  const chunk = Buffer.from(bytes, 'base64')
  const end = offset + chunk.length
  if (chunk.length === 0 || end > offer.size)
    return { problem: `the console sent ${chunk.length} bytes at ${offset} of ${offer.size}` }
  const following = { offer, chunks: [...chunks, chunk], offset: end }
  if (end < offer.size) return { download: following }
  return readBundle(offer, Buffer.concat(following.chunks).toString('utf8'))
}
