// The web server over TLS, met as by a client: over a real socket.
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { connect, type PeerCertificate, type SecureVersion } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { deriveFrom } from '../../../test/session-context.ts'
import { connectTo } from '../../../test/tcp-client.ts'
import { openTestHost, portOf } from '../../../test/test-host.ts'
import { descriptors } from '../../descriptors.gen.ts'
import type { Host } from '../../host/host.ts'
import { defaultSettings } from '../../../test/default-settings.ts'
import { checkSettings } from '../../settings/settings.ts'
import type { BirdSettings } from '../../session/session.ts'
import { machineCertificate } from '../../machine/machine-certificate.ts'
import { storyOf } from '../../machine/story.ts'
import service from './service.ts'
import { describeFlight } from '../../../lab/https/describe-flight.ts'

const opened: Host[] = []
afterEach(() => Promise.all(opened.splice(0).map((host) => host.close())))

const settingsWith = (skin: string, changes: BirdSettings): BirdSettings =>
  defaultSettings(descriptors, { 'https.enabled': true, 'http.skin': skin, ...changes })

async function open(seed = 'bird-1', skin = 'nas', changes: BirdSettings = {}) {
  const { host, touches } = openTestHost({ derive: deriveFrom(seed) })
  opened.push(host)
  await host.apply(service.listeners(settingsWith(skin, changes)))
  return { host, touches, port: portOf(host, 'https') }
}

async function ask(port: number, request: string): Promise<{ text: string; certificate: PeerCertificate }> {
  const socket = connect({ host: '127.0.0.1', port, servername: 'nas.lan', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerCertificate()
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString('latin1')))
  socket.write(request)
  await once(socket, 'close')
  return { text, certificate }
}

const CLOSE = 'Host: nas.lan\r\nConnection: close\r\nUser-Agent: test\r\n'

test('a page and a login over TLS raise the events of the web server, with CHANNEL=TLS and the port of https', async () => {
  const { port, touches } = await open()
  const page = await ask(port, `GET / HTTP/1.1\r\n${CLOSE}\r\n`)
  expect(page.text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*FileStation/)
  const body = 'username=admin&password=s3cret'
  await ask(
    port,
    `POST /login.html HTTP/1.1\r\n${CLOSE}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const common = { USERAGENT: 'test', RESPONSE: 200, SKIN: 'nas', HOSTNAME: 'nas.lan', CHANNEL: 'TLS' }
  expect(touches).toMatchObject([
    { instance: 'https', logtype: '3000', dstPort: 443, fields: { ...common, PATH: '/', METHOD: 'GET' } },
    {
      instance: 'https',
      logtype: '3001',
      dstPort: 443,
      fields: { ...common, PATH: '/login.html', METHOD: 'POST', USERNAME: 'admin', PASSWORD: 's3cret' },
    },
  ])
})

test('a redirect to a folder, and the signature of an error page, name https and its port', async () => {
  const { port } = await open()
  expect((await ask(port, `GET /css HTTP/1.1\r\n${CLOSE}\r\n`)).text).toContain(
    '\r\nLocation: https://nas.lan/css/\r\n',
  )
  expect((await ask(port, `GET /none HTTP/1.1\r\n${CLOSE}\r\n`)).text).toContain('Server at nas.lan Port 443')
})

test('each Bird has a certificate of its own, with the name of such a device, and the same after a restart', async () => {
  const [first, again, other] = await Promise.all(
    ['bird-1', 'bird-1', 'bird-2'].map(async (seed) => {
      const { port } = await open(seed)
      return (await ask(port, `GET / HTTP/1.1\r\n${CLOSE}\r\n`)).certificate
    }),
  )
  expect(first!.subject.CN).toMatch(/^nas-[\da-f]{6}$/)
  expect(first!.subjectaltname).toBe(`DNS:${first!.subject.CN}`)
  expect(again!.fingerprint256).toBe(first!.fingerprint256)
  expect(other!.subject.CN).not.toBe(first!.subject.CN)
  expect(Date.parse(first!.valid_from)).toBeLessThan(Date.UTC(2026, 2, 12))
})

test.each(['nas', 'portal', 'iis-default'])(
  'a certificate of the owner’s own is shown by the skin %s',
  async (skin) => {
    const derive = deriveFrom('owner')
    const issued = await machineCertificate(storyOf(settingsWith(skin, {}), derive), derive, Date.now())
    const own = { 'https.certificate': issued.cert, 'https.key': issued.key }
    const { host, port } = await open('bird-1', skin, own)
    const seen = async (at: number) =>
      (await ask(at, `GET / HTTP/1.1\r\n${CLOSE}\r\n`)).certificate.fingerprint256
    expect(await seen(port)).toBe(new X509Certificate(issued.cert).fingerprint256)
    // Other settings take effect at once.
    await host.apply(service.listeners(settingsWith(skin, {})))
    expect(await seen(portOf(host, 'https'))).not.toBe(new X509Certificate(issued.cert).fingerprint256)
  },
)

test('plain HTTP at the port of TLS gets Apache’s page, and is an event with its path', async () => {
  const { port, touches } = await open()
  const client = connectTo(port)
  client.write('GET /admin HTTP/1.1\r\nHost: nas.lan\r\n\r\n')
  const { text, reset } = await client.closed
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*speaking plain HTTP to an SSL-enabled server port/)
  expect(reset).toBe(false)
  expect(touches).toMatchObject([
    { logtype: '3003', fields: { PATH: '/admin', METHOD: 'GET', RESPONSE: 400 } },
  ])
})

test('a handshake without a request is one event, of a scan, with the name that was asked for', async () => {
  const { host, port, touches } = await open()
  const socket = connect({ host: '127.0.0.1', port, servername: 'nas.lan', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.end()
  await once(socket.resume(), 'close')
  await host.close()
  expect(touches).toMatchObject([
    { logtype: '3004', dstPort: 443, fields: { HOSTNAME: 'nas.lan', METHOD: '', CHANNEL: 'TLS' } },
  ])
})

test.each([
  ['part of a ClientHello, then its end', '\x16\x03\x01\x02\x00\x01', '3004'],
  ['what is no TLS', 'hello world, this is not TLS\n', '3004'],
  ['nothing', '', '22003'],
])('a client that sends %s is one event', async (_, bytes, logtype) => {
  const { host, port, touches } = await open()
  const client = connectTo(port)
  await once(client.socket, 'connect')
  if (bytes) client.write(Buffer.from(bytes, 'latin1'))
  client.socket.end()
  await client.closed
  await host.close()
  expect(touches.map((touch) => touch.logtype)).toEqual([logtype])
})

test('two services on 443 are refused by name', () => {
  const settings = defaultSettings(descriptors, {
    'device.name': 'nas',
    'https.enabled': true,
    'http.enabled': true,
    'http.port': 443,
  })
  expect(checkSettings(descriptors, settings)).toEqual({
    'http.port': 'port 443 is also taken by https.port; give each a port of its own',
    'https.port': 'port 443 is also taken by http.port; give each a port of its own',
  })
})

test('nginx reads a request without TLS to its end, in pieces too, and says that it needs TLS', async () => {
  const { port, touches } = await open('bird-1', 'portal')
  const client = connectTo(port)
  client.write('GET /login HT')
  client.write('TP/1.1\r\nHost: portal\r\n\r\n')
  const { text } = await client.closed
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*The plain HTTP request was sent to HTTPS port/)
  expect(touches).toMatchObject([{ fields: { PATH: '/login', RESPONSE: 400, SKIN: 'portal' } }])
})

test('nginx drops the rest of a body before it closes behind that page, and sends it bare to HTTP/0.9', async () => {
  const { port, touches } = await open('bird-1', 'portal')
  const client = connectTo(port)
  client.write('POST /login HTTP/1.1\r\nHost: portal\r\nContent-Length: 5\r\n\r\nab')
  await client.until(/<\/html>/)
  client.write('cde')
  expect((await client.closed).text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*<\/html>\r\n$/)
  const bare = connectTo(port)
  bare.write('GET /login\r\n')
  expect((await bare.closed).text).toMatch(/^<html>\r\n<head><title>400 The plain HTTP request/)
  expect(touches).toMatchObject([{ fields: { METHOD: 'POST' } }, { fields: { METHOD: 'GET' } }])
})

/** Connects, and answers the session that the server gave and whether it went on with the one that is given. */
async function resume(port: number, version: SecureVersion, session?: Buffer) {
  const socket = connect({
    host: '127.0.0.1',
    port,
    rejectUnauthorized: false,
    minVersion: version,
    maxVersion: version,
    ...(session && { session }),
  })
  const given = new Promise<Buffer>((resolve) => socket.once('session', resolve))
  await once(socket, 'secureConnect')
  const isReused = socket.isSessionReused()
  socket.write(`GET / HTTP/1.1\r\n${CLOSE}\r\n`)
  socket.resume()
  const next = isReused ? undefined : await given
  await once(socket, 'close')
  return { isReused, session: next }
}

test.each([
  ['nas', 'TLSv1.2'],
  ['nas', 'TLSv1.3'],
  ['portal', 'TLSv1.3'],
  ['router', 'TLSv1.3'],
] as const)('the server of %s goes on with a session of %s, as the claimed one', async (skin, version) => {
  const { port } = await open('bird-1', skin)
  const first = await resume(port, version)
  expect(first.isReused).toBe(false)
  expect((await resume(port, version, first.session)).isReused).toBe(true)
})

test('IIS is that of a Windows Server 2019: no TLS 1.3, no ticket, a certificate that its administrator made', async () => {
  const { port } = await open('bird-1', 'iis-default')
  const newest = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  const ticketAt = once(newest, 'session')
  await once(newest, 'secureConnect')
  expect([newest.getProtocol(), newest.getCipher().standardName]).toEqual([
    'TLSv1.2',
    'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  ])
  await ticketAt
  expect(newest.getTLSTicket()).toBeUndefined()
  expect(newest.getPeerCertificate().ext_key_usage).toEqual(['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1'])
  newest.destroy()
  const only = connect({ host: '127.0.0.1', port, minVersion: 'TLSv1.3', rejectUnauthorized: false })
  const [error] = (await once(only, 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
})

const helloFor = (name: string): Buffer => {
  const sized = (bytes: number, text: string): string => {
    const length = Buffer.alloc(bytes)
    length.writeUIntBE(text.length, 0, bytes)
    return length.toString('latin1') + text
  }
  const extensions = `\0\0${sized(2, sized(2, `\0${sized(2, name)}`))}\0\x0a\0\x04\0\x02\0\x1d\0\x0d\0\x04\0\x02\x08\x04`
  const body = `\x03\x03${'r'.repeat(32)}\0\0\x02\xc0\x30\x01\0${sized(2, extensions)}`
  return Buffer.from(`\x16\x03\x01${sized(2, `\x01${sized(3, body)}`)}`, 'latin1')
}

test.each([
  ['nas', '127.0.0.1', '0='],
  ['nas', 'nas.lan', ''],
  ['portal', 'nas.lan', '0='],
  ['router', '127.0.0.1', ''],
])('the server of %s, asked for %s, acknowledges: %s', async (skin, name, extensions) => {
  const { port } = await open('bird-1', skin)
  const socket = connectPlain(port, '127.0.0.1')
  socket.write(helloFor(name))
  const [flight] = (await once(socket, 'data')) as [Buffer]
  expect(describeFlight(flight.toString('latin1'))).toContain(`cipher c030 [${extensions}]`)
  socket.destroy()
})

test('lighttpd chooses by the order of the client', async () => {
  const { port } = await open('bird-1', 'router')
  const offered = ['http/1.0', 'http/1.1']
  const socket = connect({ host: '127.0.0.1', port, ALPNProtocols: offered, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  expect(socket.alpnProtocol).toBe('http/1.0')
  socket.destroy()
})

test.each([
  [['h2', 'http/1.0'], 'http/1.0'],
  [['http/1.0', 'http/1.1'], 'http/1.1'],
])('of the protocols %j nginx chooses %s', async (offered, chosen) => {
  const { port } = await open('bird-1', 'portal')
  const socket = connect({ host: '127.0.0.1', port, ALPNProtocols: offered, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  expect(socket.alpnProtocol).toBe(chosen)
  socket.destroy()
})
