// The whole decoy, over sockets.
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { connectTo } from '../../../test/tcp-client.ts'
import { openTestHost, portOf } from '../../../test/test-host.ts'
import { deriveFrom, testContext } from '../../../test/session-context.ts'
import { descriptors } from '../../descriptors.gen.ts'
import { defaultSettings } from '../../../test/default-settings.ts'
import { storyOf } from '../../machine/story.ts'
import { framed, login, sslRequest } from '../../../lab/mysql/client.ts'
import service, { openServer } from './service.ts'

async function openDecoy(version = 'mariadb-10.11') {
  const { host, touches } = openTestHost()
  onTestFinished(() => host.close())
  await host.apply(
    service.listeners(
      defaultSettings(descriptors, {
        'device.name': 'db',
        'dbsrv_b.enabled': true,
        'dbsrv_b.version': version,
      }),
    ),
  )
  return { port: portOf(host, 'dbsrv_b'), touches }
}

test('a login through TLS is reported, and refused behind the handshake', async () => {
  const { port, touches } = await openDecoy()
  const client = connectTo(port)
  await client.until(/mysql_native_password\0$/)
  client.write(Buffer.from(framed(sslRequest()), 'latin1'))
  client.socket.removeAllListeners('data')
  const tls = connectTls({ socket: client.socket, rejectUnauthorized: false })
  await once(tls, 'secureConnect')
  expect(tls.getPeerCertificate().subject.CN).toMatch(/^[a-z]+-[0-9a-f]{6}$/)
  tls.write(Buffer.from(framed(login({ user: 'sa' }), 2), 'latin1'))
  const [refusal] = (await once(tls, 'data')) as [Buffer]
  expect(refusal.toString('latin1')).toContain(
    "Access denied for user 'sa'@'localhost' (using password: YES)",
  )
  expect(touches).toMatchObject([{ logtype: '8001', fields: { USERNAME: 'sa' } }])
})

test('MySQL 8.0 shows the certificate of its first start, and takes a password in clear through TLS', async () => {
  const { port, touches } = await openDecoy('mysql-8.0')
  const client = connectTo(port)
  await client.until(/caching_sha2_password\0$/)
  client.write(Buffer.from(framed(sslRequest()), 'latin1'))
  client.socket.removeAllListeners('data')
  const tls = connectTls({ socket: client.socket, rejectUnauthorized: false })
  await once(tls, 'secureConnect')
  const { subject, issuer, serialNumber, valid_from: madeAt } = tls.getPeerCertificate()
  const { installedAt } = storyOf({ 'dbsrv_b.enabled': true }, deriveFrom('bird-1'))
  expect(Date.parse(madeAt)).toBeGreaterThan(installedAt)
  expect([subject.CN, issuer.CN, serialNumber]).toEqual([
    'MySQL_Server_8.0.42_Auto_Generated_Server_Certificate',
    'MySQL_Server_8.0.42_Auto_Generated_CA_Certificate',
    '02',
  ])
  const logIn = login({ plugin: 'caching_sha2_password', response: 'x'.repeat(32) })
  tls.write(Buffer.from(framed(logIn, 2), 'latin1'))
  expect(await once(tls, 'data')).toEqual([Buffer.from('\x02\0\0\x03\x01\x04', 'latin1')])
  tls.write(Buffer.from(framed('Winter2026\0', 4), 'latin1'))
  expect(String(await once(tls, 'data'))).toContain('Access denied')
  expect(touches).toMatchObject([{ fields: { USERNAME: 'root', PASSWORD: 'Winter2026' } }])
})

test('a listener stands while version, banner and the names of the machine stay', () => {
  const dependsOn = (more: object): unknown =>
    service.listeners(
      defaultSettings(descriptors, { 'device.name': 'db', 'dbsrv_b.enabled': true, ...more }),
    )[0]?.dependsOn
  expect(dependsOn({ 'ssh.port': 2_222 })).toBe(dependsOn({}))
  for (const change of [{ 'dbsrv_b.version': 'mysql-8.0' }, { 'dbsrv_b.banner': '8.0.1' }])
    expect(dependsOn(change)).not.toBe(dependsOn({}))
})

const once = (socket: TLSSocket, event: string): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    socket.once(event, (...values: unknown[]) => resolve(values))
    socket.once('error', reject)
  })

const newcomer = (address: string) => ({ address, source: address, open: 0, now: 0, random: randomBytes })

test('a host whose connections ended a hundred times without a login is blocked, others and the machine itself are not', () => {
  const { crowd, startSession } = openServer()
  const leave = (host: string): void => {
    const session = startSession(testContext({ src: { host, port: 1 } }))
    session.open()
    session.closed()
  }
  for (let i = 0; i < 99; i += 1) leave('192.0.2.7')
  expect(crowd.refusal(newcomer('192.0.2.7'))).toBeUndefined()
  leave('192.0.2.7')
  expect(crowd.refusal(newcomer('192.0.2.7'))!.toString('latin1')).toBe(
    "j\0\0\0\xffi\x04Host '192.0.2.7' is blocked because of many connection errors; unblock with 'mariadb-admin flush-hosts'",
  )
  for (let i = 0; i < 200; i += 1) leave('127.0.0.1')
  expect(crowd.refusal(newcomer('127.0.0.1'))).toBeUndefined()
  expect(crowd.refusal(newcomer('192.0.2.8'))).toBeUndefined()
})

test('a wrong password does not count towards the block', () => {
  const { crowd, startSession } = openServer()
  for (let i = 0; i < 150; i += 1) {
    const session = startSession(testContext({ src: { host: '192.0.2.7', port: 1 } }))
    session.open()
    session.receive(Buffer.from(framed(login()), 'latin1'))
    session.closed()
  }
  expect(crowd.refusal(newcomer('192.0.2.7'))).toBeUndefined()
})

test('the 153rd connection is refused until another one is closed', () => {
  const { crowd, startSession } = openServer()
  const sessions = Array.from({ length: 152 }, () => startSession(testContext()))
  for (const session of sessions) session.open()
  expect(crowd.refusal(newcomer('192.0.2.7'))!.toString('latin1')).toBe(
    '\x17\0\0\0\xff\x10\x04Too many connections',
  )
  sessions[0]!.closed()
  expect(crowd.refusal(newcomer('192.0.2.7'))).toBeUndefined()
})
