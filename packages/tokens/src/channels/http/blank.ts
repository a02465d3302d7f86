// The answer that gives nothing away: a live token without an answer of its own and an unknown one get the same.
import { asksForPage, scannerPage } from './scanner.ts'
import type { HttpAnswer } from './visit.ts'

const unstored = { 'Cache-Control': 'no-store, max-age=0', 'X-Robots-Tag': 'noindex' }

/** A transparent 1 × 1 GIF89a: header, two-colour table, transparency extension, one image, trailer. */
export const pixel: HttpAnswer = {
  status: 200,
  headers: { 'Content-Type': 'image/gif', ...unstored },
  body: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
}

const page = scannerPage()

/** An empty page that reports, for a browser that opens the URL; an image for everything else. */
export const blank = (accept: string | undefined): HttpAnswer => (asksForPage(accept) ? page : pixel)
