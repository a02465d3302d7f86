// Serves the page of the console. Its files have hashed names and are cached for ever; the page itself is asked for anew each time.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { compressionOf, letCompress } from '../compress.ts'
import type { PageFile, PageFiles } from './page-files.ts'

/** Nothing but what this console serves; no inline script or style, no HTML from a text (Trusted Types), no frame around it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const YEAR_S = 31_536_000

export type AnswerPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/** Mounts the files; answers what serves the page for a path that is no file, or leaves it to the API's own answer. */
export function servePage(server: FastifyInstance, { index, byPath }: PageFiles): AnswerPage {
  for (const [path, file] of byPath) server.get(path, (request, reply) => send(request, reply, file))
  server.get('/', (request, reply) => sendPage(request, reply, index))
  return (request, reply) => (asksForPage(request) ? sendPage(request, reply, index) : undefined)
}

/** A browser that opens an address; programs, and everything under `/api`, get JSON. */
const asksForPage = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  !/^\/(?:api|docs|bird|healthz|readyz|metrics)(?:[/?]|$)/.test(url) &&
  (headers.accept ?? '').includes('text/html')

const sendPage = (request: FastifyRequest, reply: FastifyReply, index: PageFile): FastifyReply =>
  send(
    request,
    reply.headers({ 'Content-Security-Policy': POLICY, 'Cross-Origin-Opener-Policy': 'same-origin' }),
    index,
  )

function send(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  if (file.isImmutable) reply.header('Cache-Control', `public, max-age=${YEAR_S}, immutable`)
  reply.header('Content-Type', file.type)
  if (!file.brotli) return reply.send(file.bytes)
  letCompress(reply)
  if (compressionOf(request.headers['accept-encoding']) !== 'br') return reply.send(file.bytes)
  return reply.header('Content-Encoding', 'br').send(file.brotli)
}
