// `/docs`: the API's pages, from the OpenAPI document, with nothing fetched from elsewhere.
import { open as openFile, type FileHandle } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Fault } from '@rookery/kernel/fault.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rookery API</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>These pages need JavaScript; the API is described in /api/v1/openapi.json, too.</noscript>
<div id="reference"></div>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** No font, proxy, telemetry or assistant of another host: the page works on a network without a way out. */
const START = `if (typeof Scalar === 'undefined')
  document.querySelector('#reference').textContent =
    'The pages cannot be shown: /docs/reference.js says why. The API is described in /api/v1/openapi.json, too.'
else Scalar.createApiReference('#reference', {
  url: '/api/v1/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})
`

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Found by name, so that it is found from the sources and from the bundle; tests name another place. */
export function serveDocs(server: FastifyInstance, find: () => string = browserBundle): void {
  server.get('/docs', (_request, reply) =>
    reply
      .headers({ 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY })
      .send(PAGE),
  )
  server.get('/docs/start.js', (_request, reply) => reply.type('text/javascript').send(START))
  server.get('/docs/reference.js', async (_request, reply) => {
    const file = await open(find).catch((error: Error) => {
      throw new Fault('unavailable', `The pages of /docs are not installed: ${error.message.split('\n')[0]}`)
    })
    return reply
      .headers({ 'Content-Type': 'text/javascript', 'Cache-Control': 'max-age=86400' })
      .send(file.createReadStream())
  })
}

async function open(find: () => string): Promise<FileHandle> {
  return openFile(find())
}

function browserBundle(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/api-reference')
  return join(dirname(entry), 'browser', 'standalone.js')
}
