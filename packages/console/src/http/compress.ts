// Answers over 1 KiB are compressed where the client asks, if they were marked: the rule stands in contract/src/compression.ts.
import { pipeline, Readable } from 'node:stream'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type CompressCallback,
} from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

type Compression = 'br' | 'gzip'
type Done = (error: null, payload?: unknown) => void

const MIN_BYTES = 1024
/** As fast as gzip, and smaller; a window of 256 KiB, since each list that is being sent holds one. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
}

/** Marks an answer that holds no secret. Caches learn that it depends on what the client asks for (RFC 9110, 12.5.5). */
export const letCompress = (reply: FastifyReply): FastifyReply => reply.header('Vary', 'Accept-Encoding')

export function compressAnswers(server: FastifyInstance): void {
  const constant = new WeakMap<Buffer, Map<Compression, Buffer>>()
  server.addHook('onSend', ({ method, headers }, reply, payload, done: Done) => {
    const compression = reply.hasHeader('Vary') ? compressionOf(headers['accept-encoding']) : undefined
    // Files of the page come compressed.
    const isCompressed = reply.hasHeader('Content-Encoding')
    if (compression === undefined || method === 'HEAD' || isCompressed) return done(null)
    if (payload instanceof Readable) {
      const stream = compression === 'br' ? createBrotliCompress(BROTLI) : createGzip()
      reply.header('Content-Encoding', compression)
      // Who leaves ends the reading, and a failure of the reading ends the answer.
      return done(
        null,
        pipeline(payload, stream, () => undefined),
      )
    }
    if (!isText(payload) || Buffer.byteLength(payload) <= MIN_BYTES) return done(null)
    const send = (bytes: Buffer): void => {
      reply.header('Content-Encoding', compression).removeHeader('Content-Length')
      done(null, bytes)
    }
    // Bytes are those of a page that is the same for everybody: strangers must not have it compressed again and again.
    const known = Buffer.isBuffer(payload) ? constant.get(payload)?.get(compression) : undefined
    if (known) return send(known)
    const take: CompressCallback = (error, bytes) => {
      if (error) return done(null)
      if (Buffer.isBuffer(payload)) keep(constant, payload, compression, bytes)
      send(bytes)
    }
    // On a thread of its own.
    if (compression === 'br') brotliCompress(payload, BROTLI, take)
    else gzip(payload, take)
  })
}

const isText = (payload: unknown): payload is string | Buffer =>
  typeof payload === 'string' || Buffer.isBuffer(payload)

function keep(
  constant: WeakMap<Buffer, Map<Compression, Buffer>>,
  page: Buffer,
  compression: Compression,
  bytes: Buffer,
): void {
  const found = constant.get(page) ?? new Map<Compression, Buffer>()
  constant.set(page, found.set(compression, bytes))
}

/** What the client would rather have (RFC 9110, 12.5.3); undefined for the answer as it is. */
export function compressionOf(header: string | string[] | undefined): Compression | undefined {
  const weights = new Map<string, number>()
  for (const part of String(header ?? '')
    .slice(0, 512)
    .toLowerCase()
    .split(',')) {
    const [name = '', weight] = part.split(';').map((it) => it.trim())
    weights.set(name, weight?.startsWith('q=') ? Number(weight.slice(2)) || 0 : 1)
  }
  const [br, gz] = [weights.get('br') ?? 0, weights.get('gzip') ?? weights.get('x-gzip') ?? 0]
  if (br === 0 && gz === 0) return undefined
  return br >= gz ? 'br' : 'gzip'
}
