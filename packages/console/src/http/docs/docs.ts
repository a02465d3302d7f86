// The API's reference: `/docs` to read and to try, and the OpenAPI document. Nothing comes from elsewhere, and no script is
// needed to read it.
import type { FastifyInstance } from 'fastify'
import { groups } from '@rookery/contract/groups.gen.ts'
import { addPaths, openapi, type Paths } from '@rookery/contract/openapi.ts'
import type { Group } from '@rookery/contract/operation.ts'
import { nextImmediate } from '../../db/next-immediate.ts'
import { VERSION } from '../../version.ts'
import { letCompress } from '../compress.ts'
import { docsPage, section } from './page.ts'
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
  let page: Promise<Buffer> | undefined
  server.get('/docs', async (_request, reply) =>
    letCompress(reply)
      .headers({ 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY })
      .send(await (page ??= docsBytes())),
  )
  let document: Promise<Buffer> | undefined
  server.get('/api/v1/openapi.json', async (_request, reply) =>
    letCompress(reply)
      .header('Content-Type', 'application/json')
      .send(await (document ??= openapiBytes())),
  )
  const [script, style] = [Buffer.from(DOCS_SCRIPT), Buffer.from(DOCS_STYLE)]
  server.get('/docs/page.js', (_request, reply) => letCompress(reply).type('text/javascript').send(script))
  server.get('/docs/page.css', (_request, reply) => letCompress(reply).type('text/css').send(style))
}

async function docsBytes(): Promise<Buffer> {
  const sections: string[] = []
  await eachGroup((name, group) => sections.push(section(name, group)))
  return Buffer.from(docsPage(groups, sections))
}

async function openapiBytes(): Promise<Buffer> {
  const paths: Paths = {}
  await eachGroup((name, group) => addPaths(paths, name, group))
  return Buffer.from(JSON.stringify(openapi(groups, VERSION, paths)) + '\n')
}

/** A turn of the event loop each: the first who asks, without a key, must not hold up an answer of a token by 40 ms. */
async function eachGroup(visit: (name: string, group: Group) => void): Promise<void> {
  for (const [name, group] of Object.entries<Group>(groups)) {
    visit(name, group)
    await nextImmediate()
  }
}
