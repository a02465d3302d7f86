// `/docs`: the API's reference, to read and to try. Nothing comes from elsewhere, and no script is needed to read it.
import type { FastifyInstance } from 'fastify'
import { groups } from '@rookery/contract/groups.gen.ts'
import { docsPage } from './page.ts'
import { DOCS_SCRIPT, DOCS_STYLE } from './assets.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

export function serveDocs(server: FastifyInstance): void {
  // Bytes, since a text would be encoded anew for each answer: half a megabyte, for everybody who asks.
  let page: Buffer | undefined
  server.get('/docs', (_request, reply) =>
    reply
      .headers({ 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY })
      .send((page ??= Buffer.from(docsPage(groups)))),
  )
  server.get('/docs/page.js', (_request, reply) => reply.type('text/javascript').send(DOCS_SCRIPT))
  server.get('/docs/page.css', (_request, reply) => reply.type('text/css').send(DOCS_STYLE))
}
