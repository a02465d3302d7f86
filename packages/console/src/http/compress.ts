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

type Coding = 'br' | 'gzip'
type Done = (error: null, payload?: unknown) => void

const LEAST_BYTES = 1024
/** As fast as gzip, and smaller; a window of 256 KiB, since each list that is being sent holds one. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
}

/** Marks an answer that holds no secret. Caches learn that it depends on what the client asks for (RFC 9110, 12.5.5). */
export const letCompress = (reply: FastifyReply): FastifyReply => reply.header('Vary', 'Accept-Encoding')

export function compressAnswers(server: FastifyInstance): void {
  const constant = new WeakMap<Buffer, Map<Coding, Buffer>>()
  server.addHook('onSend', ({ method, headers }, reply, payload, done: Done) => {
    const coding = reply.hasHeader('Vary') ? codingOf(headers['accept-encoding']) : undefined
    if (coding === undefined || method === 'HEAD') return done(null)
    if (payload instanceof Readable) {
      const stream = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip()
      reply.header('Content-Encoding', coding)
      // Who leaves ends the reading, and a failure of the reading ends the answer.
      return done(
        null,
        pipeline(payload, stream, () => undefined),
      )
    }
    if (!isText(payload) || Buffer.byteLength(payload) <= LEAST_BYTES) return done(null)
    const send = (bytes: Buffer): void => {
      reply.header('Content-Encoding', coding).removeHeader('Content-Length')
      done(null, bytes)
    }
    // Bytes are those of a page that is the same for everybody: strangers must not have it compressed again and again.
    const known = Buffer.isBuffer(payload) ? constant.get(payload)?.get(coding) : undefined
    if (known) return send(known)
    const take: CompressCallback = (error, bytes) => {
      if (error) return done(null)
      if (Buffer.isBuffer(payload)) keep(constant, payload, coding, bytes)
      send(bytes)
    }
    // On a thread of its own.
    if (coding === 'br') brotliCompress(payload, BROTLI, take)
    else gzip(payload, take)
  })
}

const isText = (payload: unknown): payload is string | Buffer =>
  typeof payload === 'string' || Buffer.isBuffer(payload)

function keep(
  constant: WeakMap<Buffer, Map<Coding, Buffer>>,
  page: Buffer,
  coding: Coding,
  bytes: Buffer,
): void {
  const codings = constant.get(page) ?? new Map<Coding, Buffer>()
  constant.set(page, codings.set(coding, bytes))
}

/** What the client would rather have (RFC 9110, 12.5.3); undefined for the answer as it is. */
export function codingOf(header: string | string[] | undefined): Coding | undefined {
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
