// multipart/form-data (RFC 7578), read as it arrives and in linear time.
//
//   --boundary CRLF  header line CRLF …  CRLF  content CRLF  --boundary CRLF …  --boundary--
import { byteCollector, type ByteCollector } from '@rookery/kernel/byte-collector.ts'
import type { BodyDecoder, RawValue } from './decoder.ts'
import { partHeader, type PartHeader } from './part-header.ts'
import { PARAMETERS, PART_HEADER_BYTES } from '../request-limits.ts'
import { unreadable } from './unreadable.ts'

/** What the next bytes are. `after-boundary` is two bytes: CRLF or, behind the last part, `--`. */
type State = 'preamble' | 'after-boundary' | 'header' | 'content' | 'epilogue'

const CRLF = Buffer.from('\r\n')
const END_OF_HEADER = Buffer.from('\r\n\r\n')
const MALFORMED = 'is not multipart/form-data with the boundary that its content type names'

export function multipartDecoder(contentType: string, isWanted: (name: string) => boolean): BodyDecoder {
  const [, quoted, token] = /boundary=(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? token
  if (boundary === undefined)
    throw unreadable('is multipart/form-data without a boundary of 1 to 70 characters in its content type')
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  const parts: [PartHeader, ByteCollector | undefined][] = []
  let state: State = 'preamble'
  // The first boundary has no CRLF before it.
  let pending: Buffer = CRLF

  /** Takes from `pending` what the state reads; false when it has to wait for more bytes. */
  function step(): boolean {
    switch (state) {
      case 'preamble':
      case 'content':
        return untilDelimiter()
      case 'after-boundary':
        return afterBoundary()
      case 'header':
        return header()
      case 'epilogue':
        pending = pending.subarray(pending.length)
        return false
    }
  }

  function untilDelimiter(): boolean {
    const at = pending.indexOf(delimiter)
    const content = at < 0 ? Math.max(0, pending.length - delimiter.length + 1) : at
    if (state === 'content') parts.at(-1)?.[1]?.add(pending.subarray(0, content))
    pending = pending.subarray(at < 0 ? content : at + delimiter.length)
    if (at >= 0) state = 'after-boundary'
    return at >= 0
  }

  function afterBoundary(): boolean {
    if (pending.length < 2) return false
    const next = pending.toString('latin1', 0, 2)
    if (next !== '\r\n' && next !== '--') throw unreadable(MALFORMED)
    state = next === '--' ? 'epilogue' : 'header'
    // Its CRLF stays: a header without lines ends at once.
    if (next === '--') pending = pending.subarray(2)
    return true
  }

  function header(): boolean {
    const end = pending.indexOf(END_OF_HEADER)
    if ((end < 0 ? pending.length : end) > PART_HEADER_BYTES.max) {
      PART_HEADER_BYTES.hit()
      throw unreadable(`has a part whose header is longer than ${PART_HEADER_BYTES.max} bytes`)
    }
    if (end < 0) return false
    const read = partHeader(pending.subarray(CRLF.length, end).toString('utf8'))
    if (!read) throw unreadable('has a part without a name in its Content-Disposition')
    if (parts.length >= PARAMETERS.max) {
      PARAMETERS.hit()
      throw unreadable(`has more than ${PARAMETERS.max} parameters`)
    }
    parts.push([read, isWanted(read.name) ? byteCollector() : undefined])
    pending = pending.subarray(end + END_OF_HEADER.length)
    state = 'content'
    return true
  }

  return {
    push(bytes) {
      pending = Buffer.concat([pending, bytes])
      while (step());
    },
    find(names) {
      const whole = state === 'content' ? parts.slice(0, -1) : parts
      const found = names.map((name) => whole.find(([header]) => header.name === name))
      return new Map(
        found.flatMap((part) =>
          part && part[0].filename === undefined ? [[part[0].name, textOf(part[1])]] : [],
        ),
      )
    },
    end() {
      if (state !== 'epilogue') throw unreadable(MALFORMED)
      return parts.map(([header, content]) => [header.name, valueOf(header, content)] as const)
    },
  }
}

const textOf = (content: ByteCollector | undefined): string => content?.bytes().toString('utf8') ?? ''

function valueOf({ filename, contentType }: PartHeader, content: ByteCollector | undefined): RawValue {
  // A file field that was left empty in a browser.
  const isEmpty = filename === '' && content?.bytes().length === 0
  if (filename === undefined || isEmpty || !content) return textOf(content)
  const { buffer, byteOffset, length } = content.bytes()
  return { filename, contentType, bytes: new Uint8Array(buffer, byteOffset, length) }
}
