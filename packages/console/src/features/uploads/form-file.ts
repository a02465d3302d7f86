// The one file of a form (RFC 7578), as it arrives.
//
//   --boundary CRLF  header line CRLF …  CRLF  content  CRLF --boundary-- CRLF
import { partHeader } from '../../http/body/part-header.ts'
import { unreadable } from '../../http/body/unreadable.ts'
import { PART_HEADER_BYTES } from '../../http/request-limits.ts'

const END_OF_HEADER = Buffer.from('\r\n\r\n')

/** Rejects with `bad-input` for a form without a file, and for one with anything else. */
export async function* fileOfForm(
  source: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<Uint8Array> {
  const [, quoted, token] = /boundary=(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? token
  if (boundary === undefined) throw unreadable('is multipart/form-data without a boundary')
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  let state: 'header' | 'content' | 'end' = 'header'
  let pending: Buffer = Buffer.alloc(0)
  for await (const bytes of source) {
    pending = Buffer.concat([pending, bytes])
    if (state === 'header') {
      const end = pending.indexOf(END_OF_HEADER)
      if (end < 0 && pending.length <= PART_HEADER_BYTES.max) continue
      checkHeader(pending.subarray(0, Math.max(0, end)).toString('utf8'), boundary)
      pending = pending.subarray(end + END_OF_HEADER.length)
      state = 'content'
    }
    if (state === 'content') {
      const at = pending.indexOf(delimiter)
      // A delimiter may begin in what is held back.
      const content = at < 0 ? Math.max(0, pending.length - delimiter.length) : at
      if (content > 0) yield pending.subarray(0, content)
      pending = pending.subarray(at < 0 ? content : at + delimiter.length)
      if (at >= 0) state = 'end'
    }
    if (state === 'end' && !'--\r\n'.startsWith(pending.toString('latin1'))) throw unreadable(ONE_FILE)
  }
  if (state !== 'end' || !pending.toString('latin1').startsWith('--')) throw unreadable(ONE_FILE)
}

const ONE_FILE = 'is no form with one file and nothing else'

function checkHeader(text: string, boundary: string): void {
  const lines = text.split('\r\n')
  const isWhole = lines[0] === `--${boundary}`
  const header = isWhole ? partHeader(lines.slice(1).join('\r\n')) : undefined
  if (header?.filename === undefined) throw unreadable(ONE_FILE)
}
