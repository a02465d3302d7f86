// The whole decoy, over sockets.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { openTestHost, portOf } from '../../../test/test-host.ts'
import { descriptors } from '../../descriptors.gen.ts'
import { defaultSettings } from '../../../test/default-settings.ts'
import type { HostTouch } from '../../host/host-touch.ts'
import {
  ENCRYPT,
  login,
  message,
  packet,
  packetsOf,
  prelogin,
  refusalOf,
  TYPE,
} from '../../../lab/mssql/client.ts'
import service from './service.ts'
import { openTls, type TlsClient } from '../../../lab/mssql/tls-client.ts'

async function openDecoy(changes: object = {}) {
  const { host, touches } = openTestHost()
  onTestFinished(() => host.close())
  const settings = { 'device.name': 'db', 'dbsrv_a.enabled': true, 'smb.netbiosname': 'DB-7', ...changes }
  expect(await host.apply(service.listeners(defaultSettings(descriptors, settings)))).toEqual([])
  return { host, port: portOf(host, 'dbsrv_a'), touches }
}

const loginsOf = (touches: readonly HostTouch[]) => touches.filter(({ logtype }) => logtype.startsWith('900'))

const logIn = packet(TYPE.login, login({ user: 'sa', password: 'Winter2026' }))
const REPORTED = [
  {
    logtype: '9001',
    fields: { USERNAME: 'sa', PASSWORD: 'Winter2026', HOSTNAME: 'ATTACKER', APPNAME: 'sqlcmd' },
  },
]

test('when both sides say OFF the login alone is encrypted, and the refusal is not', async () => {
  const { host, port, touches } = await openDecoy()
  const client = await openTls(port, ENCRYPT.off)
  expect(client.tls.getProtocol()).toBe('TLSv1.2')
  expect(client.tls.getPeerCertificate().subject.CN).toBe('SSL_Self_Signed_Fallback')
  client.leaveTls()
  client.tls.write(logIn)
  const [answer] = packetsOf(await client.unencrypted())
  expect(refusalOf(answer!.payload)).toMatchObject({ number: 18_456, server: 'DB-7' })
  expect(touches).toMatchObject(REPORTED)
  expect(host.stats.errors).toBe(0)
})

const LONG = login({ user: 'sa', password: 'Winter2026', extension: Buffer.alloc(6_000) })
const inParts = message(TYPE.login, LONG, 4_096)
const [FIRST, REST] = [inParts.subarray(0, 4_096), inParts.subarray(4_096)]

/** `isOneSegment`: record and packets come together. */
const sendLong = ({ socket, tls }: TlsClient, isOneSegment: boolean): void => {
  if (isOneSegment) socket.cork()
  tls.write(FIRST, () => {
    socket.write(REST)
    socket.uncork()
  })
}

test.each([
  ['in one segment', true],
  ['one after another', false],
])(
  '2.2.6.5: when both sides say OFF only the first packet of the login is encrypted; %s',
  async (_, isOneSegment) => {
    const { host, port, touches } = await openDecoy()
    for (const version of ['TLSv1', 'TLSv1.2'] as const) {
      const options = { minVersion: version, maxVersion: version, ciphers: 'AES128-SHA:@SECLEVEL=0' }
      const client = await openTls(port, ENCRYPT.off, options)
      client.leaveTls()
      sendLong(client, isOneSegment)
      const [answer] = packetsOf(await client.unencrypted())
      expect(refusalOf(answer!.payload)).toMatchObject({ number: 18_456, server: 'DB-7' })
    }
    expect(touches).toMatchObject([...REPORTED, ...REPORTED])
    expect(host.stats.errors).toBe(0)
  },
)

test('2.2.6.5: a second packet that is encrypted, too, ends the connection', async () => {
  const { port, touches } = await openDecoy()
  const client = await openTls(port, ENCRYPT.off)
  client.leaveTls()
  client.socket.cork()
  client.tls.write(FIRST, () => client.tls.write(REST, () => client.socket.uncork()))
  expect([await client.unencrypted(), loginsOf(touches)]).toEqual([Buffer.alloc(0), []])
})

test('when the client says ON, a packet of the login in clear ends the connection', async () => {
  const { port, touches } = await openDecoy()
  const client = await openTls(port, ENCRYPT.on)
  sendLong(client, true)
  await once(client.socket, 'close')
  expect(loginsOf(touches)).toEqual([])
})

test('when the client says ON the refusal is encrypted, too', async () => {
  const { port, touches } = await openDecoy()
  const { tls, wrappers } = await openTls(port, ENCRYPT.on)
  tls.write(logIn)
  const [bytes] = (await once(tls, 'data')) as [Buffer]
  expect(refusalOf(packetsOf(bytes)[0]!.payload).number).toBe(18_456)
  expect(touches).toMatchObject(REPORTED)
  // The handshake of the server, its last flight included, stands in packets of PRELOGIN.
  expect(wrappers.length).toBeGreaterThanOrEqual(2)
  expect(new Set(wrappers)).toEqual(new Set([TYPE.prelogin]))
})

test.each(['TLSv1', 'TLSv1.1', 'TLSv1.2'] as const)('clients of %s are served', async (version) => {
  const { port, touches } = await openDecoy()
  const options = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' }
  const { tls } = await openTls(port, ENCRYPT.on, options)
  tls.write(logIn)
  await once(tls, 'data')
  expect(touches).toMatchObject(REPORTED)
})

test('3.3.5.3: SQL Server 2022 speaks TDS 8.0, which begins with TLS', async () => {
  const { host, port, touches } = await openDecoy({ 'dbsrv_a.version': '2022' })
  const tls = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['tds/8.0'] })
  await once(tls, 'secureConnect')
  expect([tls.alpnProtocol, tls.getProtocol()]).toEqual(['tds/8.0', 'TLSv1.2'])
  tls.write(packet(TYPE.prelogin, prelogin({ encryption: ENCRYPT.off })))
  const [agreed] = (await once(tls, 'data')) as [Buffer]
  expect(packetsOf(agreed)[0]!.type).toBe(TYPE.result)
  tls.write(logIn)
  const [refused] = (await once(tls, 'data')) as [Buffer]
  expect(refusalOf(packetsOf(refused)[0]!.payload).number).toBe(18_456)
  expect(touches).toMatchObject(REPORTED)
  tls.destroy()
  expect(host.stats.errors).toBe(0)
})

test('3.3.5.1: a ClientHello ends the connection to an older server', async () => {
  const { port } = await openDecoy()
  const tls = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false })
  const [error] = (await once(tls, 'error').catch((reason: unknown) => [reason])) as [Error]
  expect(error).toMatchObject({ code: 'ECONNRESET' })
})

test('a login that should be encrypted and is not ends the connection, which is reported as one without a login', async () => {
  const { port, touches } = await openDecoy()
  const socket = connect(port, '127.0.0.1')
  socket.write(packet(TYPE.prelogin, prelogin({ encryption: ENCRYPT.off })))
  await once(socket, 'data')
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString('latin1')))
  socket.write(logIn)
  await once(socket, 'close')
  expect([text, loginsOf(touches)]).toEqual(['', []])
  await expect.poll(() => touches).toMatchObject([{ logtype: '22003' }])
})

test('the browser service names the machine, its version and its port', async () => {
  const { host } = await openDecoy({ 'dbsrv_a.port': 2_433 })
  const browser = host.listening().find(({ port }) => port === 1_434)
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  socket.send('\x02', browser!.boundPort, '127.0.0.1')
  const [answer] = (await once(socket, 'message')) as [Buffer]
  expect(answer.toString('latin1', 3)).toBe(
    'ServerName;DB-7;InstanceName;MSSQLSERVER;IsClustered;No;Version;15.0.2000.5;tcp;2433;;',
  )
})

test('a listener stands while version, port and the names of the machine stay', () => {
  const dependsOn = (more: object): unknown =>
    service.listeners({
      'dbsrv_a.enabled': true,
      'dbsrv_a.port': 1_433,
      'dbsrv_a.version': '2019',
      ...more,
    })[0]?.dependsOn
  expect(dependsOn({ 'ssh.port': 2_222 })).toBe(dependsOn({}))
  for (const change of [{ 'dbsrv_a.version': '2022' }, { 'dbsrv_a.port': 2 }, { 'smb.netbiosname': 'X' }])
    expect(dependsOn(change)).not.toBe(dependsOn({}))
})
