import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { ownFolder } from '../../../test/own-folder.ts'
import { CONNECTIONS_PER_SOURCE } from '../../admission/admission.ts'
import { parseRanges } from '../../addresses/ranges.ts'
import { systemWorld } from '../../world/system.ts'
import { openServer } from '../server.ts'
import { readPageFiles } from './page-files.ts'

/** Longer than what an answer needs to be compressed on its way. */
const SCRIPT = 'document.title = "Rookery"\n'.repeat(100)

/** The page of a folder, behind the console's server. */
function openPage() {
  const folder = ownFolder()
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script src="/assets/a-1b2c.js"></script>')
  writeFileSync(join(folder, 'assets/a-1b2c.js'), SCRIPT)
  writeFileSync(join(folder, 'assets/a-1b2c.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(join(folder, 'notes.txt'), 'not a file of a page')
  const { server, usePage } = openServer({
    log: pino({ level: 'silent' }),
    world: systemWorld({ send: () => Promise.reject(new Error('no outside')) }),
    trustedProxies: [],
    outage: () => undefined,
    publicUrl: '',
    perSource: CONNECTIONS_PER_SOURCE,
    trusted: parseRanges('', 'trusted'),
    onRefused: () => undefined,
  })
  const files = readPageFiles(folder)
  if (files) usePage(files)
  return (url: string, headers: Record<string, string> = { accept: 'text/html,*/*' }) =>
    server.inject({ method: 'GET', url, headers })
}

it.each(['/', '/sign-in', '/incidents/4f1d?tab=events'])(
  'a browser at %s gets the page, never from its cache, which may load and do nothing but what this console serves',
  async (path) => {
    const { statusCode, headers, body } = await openPage()(path)
    expect([statusCode, body.startsWith('<!doctype html>')]).toEqual([200, true])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((rule): [string, string] => [rule.split(' ')[0] ?? '', rule.split(' ').slice(1).join(' ')]),
    )
    for (const nothing of ['default-src', 'frame-ancestors', 'base-uri', 'trusted-types'])
      expect([nothing, policy.get(nothing)]).toEqual([nothing, "'none'"])
    for (const own of ['script-src', 'style-src', 'connect-src', 'form-action'])
      expect([own, policy.get(own)]).toEqual([own, "'self'"])
    expect(policy.get('require-trusted-types-for')).toBe("'script'")
  },
)

it('programs, and everybody below /api, get JSON where there is nothing', async () => {
  const ask = openPage()
  for (const [path, accept] of [
    ['/sign-in', '*/*'],
    ['/api/v1/none', 'text/html'],
    ['/api', 'text/html'],
    ['/notes.txt', '*/*'],
    ['/../package.json', '*/*'],
  ] as const) {
    const { statusCode, headers } = await ask(path, { accept })
    expect([path, statusCode, headers['content-type']]).toEqual([path, 404, 'application/json'])
  }
})

it('files with the hash of their content in their names are cached for ever, and compressed for those who take it', async () => {
  const ask = openPage()
  const plain = await ask('/assets/a-1b2c.js')
  expect([plain.body, plain.headers['content-type']]).toEqual([SCRIPT, 'text/javascript; charset=utf-8'])
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const small = await ask('/assets/a-1b2c.js', { 'accept-encoding': 'gzip, br' })
  expect([small.headers['content-encoding'], small.headers['vary']]).toEqual(['br', 'Accept-Encoding'])
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(SCRIPT)
})
