// Records what nginx makes of the pages that it compresses: `node record-gzip.ts <host> <port> <skin>`. Debian's
// nginx with that skin must listen there (`test/real-web-servers.ts`). Writes the skin's `.gz` files, and nginx's own pages.
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'

const [host = '', port = '', skin = ''] = process.argv.slice(2)
const folder = new URL(`../../../src/services/http/skins/${skin}/`, import.meta.url)
const { login } = JSON.parse(readFileSync(new URL('skin.json', folder), 'utf8')) as {
  login?: { path: string; answer: string }
}

const CHROME = 'Mozilla/5.0 (KHTML, like Gecko) Chrome/120.0 Safari/537.36'
const own: string[] = []
for (const path of ['/none', '/css/'])
  for (const agent of ['', CHROME]) {
    const bytes = await compressed('GET', path, agent)
    own.push(
      `  [\n    ${quoted(gunzipSync(bytes).toString('latin1'))},\n    '${bytes.toString('base64')}',\n  ],\n`,
    )
  }
const pages = login
  ? [
      { file: 'index.html', bytes: await compressed('GET', '/', '') },
      { file: login.answer, bytes: await compressed('POST', login.path, '') },
    ]
  : [{ file: 'index.nginx-debian.html', bytes: await compressed('GET', '/', '') }]
for (const { file, bytes } of pages) writeFileSync(new URL(`${file}.gz`, folder), bytes)
if (login)
  writeFileSync(
    new URL('../../../src/services/http/products/nginx/gzipped-pages.data.ts', import.meta.url),
    `// Pages of nginx 1.22.1 as it compresses them, by their text.\n\nexport const GZIPPED_PAGES: ReadonlyMap<string, string> = new Map([\n${own.join('')}])\n`,
  )

function quoted(text: string): string {
  return `'${text.replaceAll('\r\n', '\\r\\n')}'`
}

function compressed(method: string, path: string, agent: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip', 'user-agent': agent, host: 'portal' }
    const asking = request({ host, port, method, path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts)))
    })
    asking.on('error', reject).end()
  })
}
