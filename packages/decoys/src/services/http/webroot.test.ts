// Pages that a user uploaded, shown by each of the servers.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replay } from '../../../test/replay.ts'
import { testContext } from '../../../test/session-context.ts'
import { descriptors } from '../../descriptors.gen.ts'
import { defaultSettings } from '../../../test/default-settings.ts'
import httpsService from '../https/service.ts'
import { descriptor } from './descriptor.ts'
import service from './service.ts'
import { loadSkin } from './load-skin.ts'
import { loadWebroot, WEBROOT_BYTES, WEBROOT_DEPTH, WEBROOT_FILES } from './webroot.ts'

const PAGE = `<title>Payroll</title>${'<p>Please sign in.</p>'.repeat(20)}`
const AT = new Date('2026-05-04T10:20:30Z')
const MODIFIED = AT.toUTCString()

let parent = ''
let webroot = ''

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'rookery-webroot-'))
  webroot = join(parent, 'webroot')
  mkdirSync(join(webroot, 'docs'), { recursive: true })
  mkdirSync(join(webroot, 'empty'))
  writeFileSync(join(parent, 'secret.txt'), 'TOP SECRET')
  writeFileSync(join(webroot, 'index.html'), PAGE)
  writeFileSync(join(webroot, 'docs', 'report.pdf'), '%PDF-1.7 report')
  writeFileSync(join(webroot, 'docs', 'grüße.txt'), 'hallo')
  writeFileSync(join(webroot, '.env'), 'TOP SECRET')
  symlinkSync(join(parent, 'secret.txt'), join(webroot, 'link.txt'))
  symlinkSync(parent, join(webroot, 'up'))
  utimesSync(join(webroot, 'index.html'), AT, AT)
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

const SKINS = ['nas', 'portal', 'router', 'iis-default', 'printer'] as const

const settingsOf = (skin: string, isPresent = true) =>
  defaultSettings(descriptors, {
    'http.enabled': true,
    'https.enabled': true,
    'http.skin': skin,
    'http.userwebroot_present': isPresent,
  })
const startSession = (skin: string) =>
  service.listeners(settingsOf(skin), { webroot, share: '' })[0]!.startSession
const ask = (skin: string, text: string): string =>
  replay({ name: '', send: [text] }, startSession(skin)).text
const get = (path: string, ...fields: string[]): string =>
  `GET ${path} HTTP/1.1\r\nHost: files\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`

test('http.userwebroot_present shows the uploaded pages in the place of the skin, over TLS too', () => {
  expect(ask('nas', get('/'))).toContain('<title>Payroll</title>')
  const [shown] = service.listeners(settingsOf('nas', false), { webroot, share: '' })
  expect(replay({ name: '', send: [get('/')] }, shown!.startSession).text).toContain('FileStation')
  expect(httpsService.listeners(settingsOf('nas'), { webroot, share: '' })).toHaveLength(1)
  expect(Object.keys(descriptor.settings)).toContain('http.userwebroot_present')
})

test('what happens on them is reported, a login in a form of the user’s own by the names of its fields', () => {
  const session = startSession('nas')(testContext())
  session.open()
  const body = 'email=ann%40example.org&pass=s3cret'
  const post = `POST /index.html HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const events = session.receive(Buffer.from(get('/') + post)).flatMap((reply) => reply.events ?? [])
  expect(events).toMatchObject([
    { logtype: '3000', fields: { SKIN: 'webroot', PATH: '/' } },
    { logtype: '3001', fields: { USERNAME: 'ann@example.org', PASSWORD: 's3cret' } },
  ])
})

describe.each(SKINS)('the server of the skin %s', (skin) => {
  const isPlain = skin === 'printer'

  test('shows an index, and files with their type', () => {
    expect(ask(skin, get('/'))).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Content-Type: text\/html\r\n[^]*Payroll/)
    const pdf = ask(skin, get('/docs/report.pdf'))
    expect(pdf).toMatch(
      isPlain ? /Content-Type: application\/octet-stream\r\n/ : /Content-Type: application\/pdf\r\n/,
    )
    expect(pdf.endsWith('%PDF-1.7 report')).toBe(true)
    expect(ask(skin, get(isPlain ? '/docs/gr\xc3\xbc\xc3\x9fe.txt' : '/docs/gr%c3%bc%c3%9fe.txt'))).toMatch(
      /hallo$/,
    )
  })

  test.skipIf(isPlain)('answers conditions and ranges by the date and the ETag of the file', () => {
    const page = ask(skin, get('/'))
    expect(page).toContain(`\r\nLast-Modified: ${MODIFIED}\r\n`)
    const etag = /\r\nETag: ([^\r]+)/i.exec(page)![1]!
    expect(ask(skin, get('/', `If-None-Match: ${etag}`))).toMatch(/^HTTP\/1\.1 304 /)
    expect(ask(skin, get('/', `If-Modified-Since: ${MODIFIED}`))).toMatch(/^HTTP\/1\.1 304 /)
    const part = ask(skin, get('/', 'Range: bytes=7-13'))
    expect(part).toMatch(/^HTTP\/1\.1 206 [^]*\r\n\r\nPayroll$/)
    expect(part).toContain(`\r\nContent-Range: bytes 7-13/${PAGE.length}\r\n`)
    expect(ask(skin, get('/', 'Range: bytes=99999-'))).toMatch(/^HTTP\/1\.1 416 /)
  })

  test('lists no folder', () => {
    for (const path of ['/docs/', '/empty/']) {
      const text = ask(skin, get(path))
      expect(text, path).toMatch(/^HTTP\/1\.1 40[34] /)
      expect(text, path).not.toContain('report')
    }
  })

  test.each([
    '/../secret.txt',
    '/docs/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e%5csecret.txt',
    '/..\\secret.txt',
    '/%252e%252e/secret.txt',
    '/%c0%ae%c0%ae/secret.txt',
    '//secret.txt',
    '/link.txt',
    '/up/secret.txt',
    '/.env',
    '/%2eenv',
    '/docs/%00/../../secret.txt',
    'file:///etc/passwd',
    '/__proto__',
    '/constructor',
  ])('has nothing at %s', (path) => {
    const text = ask(skin, get(path))
    expect(text).not.toContain('SECRET')
    expect(text).not.toContain('root:')
    expect(text).not.toMatch(/^HTTP\/1\.1 2/)
  })
})

test.each(['nas', 'portal'])('the server of %s compresses what its configuration compresses', (skin) => {
  const session = startSession(skin)(testContext())
  session.open()
  const replies = session.receive(Buffer.from(get('/', 'Accept-Encoding: gzip', 'Connection: close')))
  const bytes = Buffer.concat(replies.map(({ send = '' }) => Buffer.from(send)))
  expect(bytes.toString('latin1')).toContain('\r\nContent-Encoding: gzip\r\n')
  const start = bytes.indexOf(Buffer.from([0x1f, 0x8b]))
  // Behind a chunk, its line end and the last chunk are no part of it.
  const end = bytes.toString('latin1').endsWith('\r\n0\r\n\r\n') ? -7 : undefined
  expect(gunzipSync(bytes.subarray(start, end)).toString()).toBe(PAGE)
})

describe('a webroot that cannot be shown says why', () => {
  const problemOf = (make: (folder: string) => void): string => {
    const folder = mkdtempSync(join(tmpdir(), 'rookery-webroot-'))
    try {
      make(folder)
      loadWebroot(folder, loadSkin('nas'))
      return ''
    } catch (error) {
      return (error as Error).message
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  test('a missing folder', () => {
    expect(() => loadWebroot(join(parent, 'none'), loadSkin('nas'))).toThrow(/is no folder$/)
    expect(() => loadWebroot(join(webroot, 'up'), loadSkin('nas'))).toThrow(/is no folder$/)
    expect(() => service.listeners(settingsOf('nas'))).toThrow('there is no folder for a webroot here')
  })

  test('too many files', () => {
    const problem = problemOf((folder) => {
      for (let i = 0; i <= WEBROOT_FILES.max; i += 1) writeFileSync(join(folder, `${i}.html`), '')
    })
    expect(problem).toBe('The webroot has more than 2000 files')
  })

  test('too many bytes', () => {
    const problem = problemOf((folder) => {
      writeFileSync(join(folder, 'large.bin'), '')
      truncateSync(join(folder, 'large.bin'), WEBROOT_BYTES.max + 1)
    })
    expect(problem).toBe('The webroot has more than 16777216 bytes')
  })

  test('folders that are too deep', () => {
    const problem = problemOf((folder) =>
      mkdirSync(join(folder, ...Array<string>(WEBROOT_DEPTH.max).fill('d')), { recursive: true }),
    )
    expect(problem).toContain('The webroot has more than 16 folders within each other')
  })
})
