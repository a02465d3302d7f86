// Sends a large file, or a part of it (RFC 9110, 14): a download that was cut off goes on where it ended.
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from './json.ts'
import { attachment } from './send-file.ts'

export interface RangedFile {
  readonly filename: string
  readonly size: number
  /** Another one for other bytes; without quotes. */
  readonly etag: string
  /** The bytes of [from, to). */
  readonly read: (from: number, to: number) => Readable
}

/** A reader who takes nothing for this time is disconnected. */
const STALLED_MS = 60_000

export function sendRange(request: FastifyRequest, reply: FastifyReply, file: RangedFile): FastifyReply {
  const { filename, size, read } = file
  const etag = `"${file.etag}"`
  reply.headers({ 'Accept-Ranges': 'bytes', ETag: etag })
  const { range, 'if-range': ifRange } = request.headers
  const isGet = request.method === 'GET'
  const asked = isGet && (ifRange === undefined || ifRange === etag) ? partOf(range, size) : undefined
  if (asked === 'outside') {
    const message = `Range is ${JSON.stringify(range?.slice(0, 100))}; the file has ${size} bytes.`
    reply.code(416).header('Content-Range', `bytes */${size}`)
    return sendJson(reply, { result: 'error', message, error: 'range', request_id: request.id })
  }
  const [from, to] = asked ?? [0, size]
  if (asked) reply.code(206).header('Content-Range', `bytes ${from}-${to - 1}/${size}`)
  reply.headers({
    'Content-Disposition': attachment(filename),
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(to - from),
  })
  if (!isGet) return reply.send()
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy())
  return reply.send(read(from, to))
}

/**
 * The one part that is asked for, as [from, to). Undefined for the whole: nothing is asked for, several parts are, or other
 * units (RFC 9110, 14.2: a server may leave a Range alone).
 */
function partOf(
  range: string | undefined,
  size: number,
): readonly [from: number, to: number] | 'outside' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  return from < to ? [from, to] : 'outside'
}
