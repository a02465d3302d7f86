// The answer that gives nothing away: a transparent 1 × 1 GIF, the same for a known token, an unknown one and none.
import type { HttpAnswer } from './token.ts'

// GIF89a: header, one black-and-white colour table, transparency extension, one 1 × 1 image, trailer.
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

export const pixel: HttpAnswer = {
  status: 200,
  headers: { 'Content-Type': 'image/gif', 'Cache-Control': 'no-store, max-age=0', 'X-Robots-Tag': 'noindex' },
  body: GIF,
}
