// TLS between socket and session, over real sockets and with OpenSSL as the client.
import { once } from 'node:events'
import { connect } from 'node:net'
import { Duplex } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { connectTo } from '../../../test/tcp-client.ts'
import { openTestHost, portOf } from '../../../test/test-host.ts'
import { firstFlight, OLD_TLS, readFrom, secureLines, testTls, tlsClient } from '../../../test/tls-lines.ts'
import { sessionRunner } from '../../session/session-runner.ts'
import type { SessionDefinition } from '../../session/session.ts'
import type { TlsProfile } from '../../session/tls-server.ts'
import type { Host } from '../host.ts'

const opened: Host[] = []
afterEach(() => Promise.all(opened.splice(0).map((host) => host.close())))

async function listen(definition: SessionDefinition<number, string>) {
  const { host, touches } = openTestHost()
  opened.push(host)
  await host.apply([
    { instance: 'line', transport: 'tcp', port: 443, startSession: sessionRunner(definition) },
  ])
  return { host, touches, port: portOf(host) }
}

test('a session learns version, cipher, server name and protocol of its TLS, and speaks through it', async () => {
  const { port, touches, host } = await listen(secureLines(true))
  const socket = tlsClient({ port, servername: 'nas.lan', ALPNProtocols: ['h2', 'http/1.1'], ...OLD_TLS })
  const until = readFrom(socket)
  expect(await until(/secured .*\n/)).toBe(
    'secured {"version":"TLSv1.2","cipher":"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256","serverName":"nas.lan","protocol":"http/1.1"}\n',
  )
  socket.write('one\nbig\nbye\n')
  expect(await until(/bye\n/)).toMatch(/\none\nx{100000}\nbye\n$/)
  await once(socket, 'close')
  await host.close()
  expect(touches.map(({ fields }) => fields['LINE'] ?? 'closed')).toEqual(['one', 'big', 'bye', 'closed'])
  expect(host.stats).toMatchObject({ errors: 0, openConnections: 0 })
})

test('TLS begins in the middle of a session, also when the ClientHello comes with the frame that asks for it', async () => {
  const { port } = await listen(secureLines(false))
  const plain = connectTo(port)
  await plain.until(/hello/)
  plain.write('one\nSTARTTLS\n')
  expect(await plain.until(/go ahead\n/)).toBe('hello\none\ngo ahead\n')
  plain.socket.removeAllListeners('data')
  const socket = tlsClient({ socket: plain.socket })
  const until = readFrom(socket)
  expect(await until(/secured .*\n/)).toContain('"TLSv1.3"')
  socket.write('two\n')
  expect(await until(/two\n/)).toMatch(/two\n$/)
  socket.destroy()

  const hasty = connectTo(port)
  const hello = await firstFlight()
  hasty.write(Buffer.concat([Buffer.from('STARTTLS\n'), hello]))
  // A handshake record with a ServerHello follows the last plain line.
  expect(await hasty.until(/go ahead\n\x16\x03\x03..\x02/s)).toContain('go ahead')
  hasty.socket.destroy()
})

test('what waits for the rest of a ClientHello counts among the bytes that the host keeps', async () => {
  const { host } = openTestHost({ limits: { unreadBytes: withMax(limit('test_tls_unread', 0), 20_000) } })
  opened.push(host)
  const startSession = sessionRunner(secureLines(true))
  await host.apply([{ instance: 'line', transport: 'tcp', port: 443, startSession }])
  const part = Buffer.concat([Buffer.from('160301400001003ffc', 'hex'), Buffer.alloc(12_000)])
  const clients = [connectTo(portOf(host)), connectTo(portOf(host))]
  for (const { socket } of clients) {
    await once(socket, 'connect')
    socket.write(part)
  }
  await Promise.race(clients.map(({ closed }) => closed))
  expect(host.stats.openConnections).toBe(1)
  for (const { socket } of clients) socket.destroy()
})

test('a client without a common protocol is served without one, and a session is resumed by its id', async () => {
  const { port } = await listen(secureLines(true))
  const first = tlsClient({ port, ALPNProtocols: ['h2'], ...OLD_TLS })
  await readFrom(first)(/secured/)
  expect(first.alpnProtocol).toBe(false)
  expect(first.getPeerCertificate().subject).toEqual({ CN: 'line.lan' })
  const session = first.getSession()!
  first.destroy()
  const second = tlsClient({ port, session, ...OLD_TLS })
  await readFrom(second)(/secured/)
  expect(second.isSessionReused()).toBe(true)
  second.destroy()
})

test.each([
  ['HTTP', 'GET / HTTP/1.0\r\n\r\n', /^ERR_SSL_HTTP_REQUEST after 18\n$/],
  ['another version', '\x16\x03\x01\x00\x05hello', /^\x15\x03\x03\x00\x02\x02\nERR_SSL_\w+ after 10\n$/],
  [
    'a record that is too long',
    '\x16\x03\x01\xff\xffhello',
    /^\x15\x03\x03\x00\x02\x02\x16ERR_SSL_\w+ after 10\n$/,
  ],
  ['no TLS', 'hello world, this is not TLS\n', /^ERR_SSL_WRONG_VERSION_NUMBER after 29\n$/],
])(
  '%s instead of a ClientHello is answered by the alert, then unencrypted by the session',
  async (_, bytes, said) => {
    const { port, host } = await listen(secureLines(true))
    const plain = connectTo(port)
    plain.write(Buffer.from(bytes, 'latin1'))
    const { text, reset } = await plain.closed
    expect(text).toMatch(said)
    expect(reset).toBe(false)
    expect(host.stats.errors).toBe(0)
  },
)

test('a handshake that is not done in time is closed', async () => {
  const { port } = await listen(secureLines(true, { ...testTls, handshakeMs: 50 }))
  const plain = connectTo(port)
  plain.write(Buffer.from('\x16\x03\x01\x02\x00\x01', 'latin1'))
  expect(await plain.closed).toEqual({ text: '', reset: false })
})

test('records are taken out of packets, and put into packets, where a protocol has its own', async () => {
  const xor = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x55))
  const packets = () => ({ unwrap: xor, wrap: xor })
  const { port } = await listen(secureLines(true, { ...testTls, packets }))
  const plain = connectTo(port)
  plain.write(xor(await firstFlight()))
  const header = xor(Buffer.from('160303', 'hex')).toString('latin1')
  expect((await plain.until(new RegExp(header))).startsWith(header)).toBe(true)
  plain.socket.destroy()
})

test('a session takes TLS away again: its answer, and all that follows, is not encrypted', async () => {
  const { port, host, touches } = await listen(secureLines(false))
  const plain = connectTo(port)
  plain.write('STARTTLS\n')
  await plain.until(/go ahead\n/)
  plain.socket.removeAllListeners('data')
  const records = new Duplex({
    read() {},
    write: (bytes: Buffer, _encoding, done) => void plain.socket.write(bytes, () => done()),
  })
  plain.socket.on('data', (bytes) => records.push(bytes))
  const tls = tlsClient({ socket: records, ...OLD_TLS })
  const until = readFrom(tls)
  await until(/secured/)
  tls.write('two\n')
  expect(await until(/two/)).toMatch(/two\n$/)
  plain.socket.removeAllListeners('data')
  tls.write('STOPTLS\n')
  const [stopped] = (await once(plain.socket, 'data')) as [Buffer]
  expect(stopped.toString()).toBe('plain again\n')
  plain.write('three\n')
  const [answer] = (await once(plain.socket, 'data')) as [Buffer]
  expect(answer.toString()).toBe('three\n')
  plain.socket.destroy()
  await host.close()
  expect(touches.map(({ fields }) => fields['LINE'] ?? 'closed')).toEqual(['two', 'three', 'closed'])
  expect(host.stats.errors).toBe(0)
})

/** A client behind its handshake, and what the server sends from then on. */
async function securedClient(ends: TlsProfile['ends']) {
  const server = {
    ...testTls,
    profile: { ...testTls.profile, name: JSON.stringify(ends ?? {}), ...(ends && { ends }) },
  }
  const { port, host, touches } = await listen(secureLines(true, server))
  const socket = connect(port, '127.0.0.1')
  let wasReset = false
  socket.on('error', () => (wasReset = true))
  const records = new Duplex({
    read() {},
    write: (sent: Buffer, _encoding, done) => void socket.write(sent, () => done()),
  })
  socket.on('data', (received) => records.push(received))
  const tls = tlsClient({ socket: records, ...OLD_TLS })
  await readFrom(tls)(/secured/)
  const received: Buffer[] = []
  socket.on('data', (part) => received.push(part))
  return {
    socket,
    tls,
    /** Content type of the last record, and the kind of close. */
    async end() {
      await new Promise((resolve) => socket.once('close', resolve))
      await host.close()
      expect(touches).toMatchObject([{ fields: {} }])
      expect(host.stats).toMatchObject({ errors: 0, openConnections: 0 })
      return [received[0]?.[0], wasReset]
    },
  }
}
const ALERT = 21

test.each([
  ['no record', 'GET / HTTP/1.0\r\n\r\n', true],
  ['a record that does not decrypt', `\x17\x03\x03\x00\x20${'x'.repeat(32)}`, false],
])('behind the handshake, %s ends the connection behind an alert', async (_, bytes, isReset) => {
  for (const leaves of [false, true]) {
    const { socket, end } = await securedClient(leaves ? { leavesUnread: true } : undefined)
    socket.write(Buffer.from(bytes, 'latin1'))
    expect(await end()).toEqual([ALERT, leaves && isReset])
  }
})

test('close_notify is answered by close_notify and FIN, or by FIN alone', async () => {
  for (const ends of [undefined, { withoutNotify: 'uncut' }, { withoutNotify: 'ended' }] as const) {
    const { tls, end } = await securedClient(ends)
    tls.end()
    expect(await end()).toEqual([ends ? undefined : ALERT, false])
  }
})

test('a peer that goes in the middle of its handshake leaves nothing open', async () => {
  const { port, host } = await listen(secureLines(true))
  const plain = connectTo(port)
  plain.write((await firstFlight()).subarray(0, 100))
  plain.socket.end()
  await plain.closed
  expect(host.stats).toMatchObject({ errors: 0 })
})
