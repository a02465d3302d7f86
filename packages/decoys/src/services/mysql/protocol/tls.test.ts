// How database servers go on with a session of TLS, and how they end one: over sockets.
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectTls, type SecureVersion } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { defaultSettings } from '../../../../test/default-settings.ts'
import { openTestHost, portOf } from '../../../../test/test-host.ts'
import { descriptors } from '../../../descriptors.gen.ts'
import { framed, sslRequest } from '../../../../lab/mysql/client.ts'
import service from '../service.ts'

async function openDecoy(version: string): Promise<number> {
  const { host } = openTestHost()
  onTestFinished(() => host.close())
  await host.apply(
    service.listeners(defaultSettings(descriptors, { 'dbsrv_b.enabled': true, 'dbsrv_b.version': version })),
  )
  return portOf(host, 'dbsrv_b')
}

/** A login that is refused: the session that the server gave, and the types of the records behind it. */
async function logIn(port: number, version: SecureVersion, session?: Buffer) {
  const socket = connectSocket(port, '127.0.0.1')
  await once(socket, 'data')
  socket.write(Buffer.from(framed(sslRequest()), 'latin1'))
  let received = Buffer.alloc(0)
  const wire = new Duplex({
    read() {},
    write: (records: Buffer, _, done) => void socket.write(records, () => done()),
  })
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    wire.push(bytes)
  })
  const tls = connectTls({
    socket: wire,
    rejectUnauthorized: false,
    minVersion: version,
    maxVersion: version,
    ...(version === 'TLSv1' && { ciphers: 'ALL:@SECLEVEL=0' }),
    ...(session && { session }),
  })
  let given: Buffer | undefined
  tls.on('session', (next) => (given = next))
  tls.on('error', () => {})
  const ended = once(socket, 'end')
  await Promise.race([once(tls, 'secureConnect'), ended])
  const before = received.length
  tls.write(Buffer.from(framed('x', 2), 'latin1'))
  await ended
  return { isReused: tls.isSessionReused(), session: given, types: typesOf(received, before) }
}

/** Of the records behind the first `from` bytes. */
function typesOf(records: Buffer, from: number): number[] {
  const types: number[] = []
  for (let at = 0; at + 5 <= records.length; at += 5 + records.readUInt16BE(at + 3))
    if (at >= from) types.push(records[at]!)
  return types
}

const APPLICATION_DATA = 23

test.each([
  ['mariadb-10.11', 'TLSv1.2'],
  ['mariadb-10.11', 'TLSv1.3'],
  ['mysql-5.7', 'TLSv1.2'],
  ['mysql-8.0', 'TLSv1.2'],
  ['mysql-8.0', 'TLSv1.3'],
] as const)('%s goes on with a session of %s', async (claimed, version) => {
  const port = await openDecoy(claimed)
  const first = await logIn(port, version)
  expect(first.isReused).toBe(false)
  expect((await logIn(port, version, first.session)).isReused).toBe(true)
})

test.each(['mariadb-10.11', 'mysql-5.7', 'mysql-8.0'])(
  'behind a refusal, %s leaves the close_notify out',
  async (claimed) => {
    const port = await openDecoy(claimed)
    const { types } = await logIn(port, 'TLSv1.2')
    expect(types.filter((type) => type !== 22 && type !== 20)).toEqual([APPLICATION_DATA])
  },
)
