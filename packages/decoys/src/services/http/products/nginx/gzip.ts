// When nginx compresses (`gzip on`, as Debian sets it), and its own pages as it compressed them.
import { gzipSync } from 'node:zlib'
import type { RequestHead } from '../../protocol/request.ts'
import { GZIPPED_PAGES } from './gzipped-pages.data.ts'

/** The first `gzip` of the list decides. A weight of 0 forbids it. */
export function isGzipped({ version, headers }: Pick<RequestHead, 'version' | 'headers'>): boolean {
  if (version !== '1.1' || headers.has('via')) return false
  const accepted = headers.get('accept-encoding') ?? ''
  if (accepted.length < 'gzip'.length) return false
  const [, behind] = /(?:^|[, ])gzip([^]*)$/i.exec(accepted.replace(/([^, ])gzip/gi, '$1----')) ?? []
  if (behind === undefined) return false
  const first = behind.replace(/[, ]gzip[^]*$/i, ',')
  const weight = /^ *(?:$|,|; *(?:$|q=([^, ]*)(?:[, ]|$)))/i.exec(first)
  if (!weight) return false
  return (
    weight[1] === undefined ||
    (/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight[1]) && Number(weight[1]) > 0)
  )
}

/** As nginx 1.22.1 made it, recorded; a page with another product in it is compressed here. */
export function gzipPage(text: string): Buffer {
  const recorded = GZIPPED_PAGES.get(text)
  return recorded === undefined ? gzipSync(text, { level: 1 }) : Buffer.from(recorded, 'base64')
}
