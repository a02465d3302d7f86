// A port with more connections than it takes: who leaves, who waits, and that none of it hides a touch.
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { afterEach, expect, test } from 'vitest'
import { lineListener } from '../../test/line-service.ts'
import { manualClock } from '../../test/manual-clock.ts'
import { connectMany, openDecoys } from '../../test/open-decoys.ts'
import type { TcpClient } from '../../test/tcp-client.ts'
import { openTestHost, portOf } from '../../test/test-host.ts'
import { login as sqlLogin, packet, TYPE } from '../../lab/mssql/client.ts'
import type { Host, HostOptions } from './host.ts'

const opened: { host: Host; clients: TcpClient[] }[] = []
afterEach(async () => {
  for (const { host, clients } of opened.splice(0)) {
    await host.close()
    for (const { socket } of clients) socket.destroy()
  }
})

/** `many` opens connections that end with the test. */
function during<T extends { host: Host }>(test: T) {
  const clients: TcpClient[] = []
  opened.push({ host: test.host, clients })
  const many = async (count: number, instance: string, localAddress?: string): Promise<TcpClient[]> => {
    const made = await connectMany(count, portOf(test.host, instance), localAddress)
    clients.push(...made)
    return made
  }
  return { ...test, many }
}

const bound = limit('test_crowded', 0)
const upTo = (perPort: number, over: Partial<HostOptions['limits']> = {}): Partial<HostOptions> => ({
  limits: { perPort: withMax(bound, perPort), ...over },
})
const ELSEWHERE = '127.0.0.99'
const sources = Array.from({ length: 16 }, (_, n) => `127.0.0.${n + 2}`)

const CREDENTIALS = 'username=root&password=hunter2'
const LOGIN = `POST /index.html HTTP/1.1\r\nHost: 192.0.2.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${CREDENTIALS.length}\r\n\r\n${CREDENTIALS}`
const page = (connection: string): string =>
  `GET / HTTP/1.1\r\nHost: 192.0.2.1\r\nConnection: ${connection}\r\n\r\n`

test.each([
  ['redis', 'AUTH hunter2\r\n', '21001'],
  ['ftp', 'USER root\r\nPASS hunter2\r\n', '2000'],
  ['http', LOGIN, '3001'],
  ['dbsrv_a', packet(TYPE.login, sqlLogin({ user: 'sa' })), '9001'],
])('%s: 512 connections of one byte each do not keep logins from elsewhere away', async (...row) => {
  const [instance, login, logtype] = row
  const { host, touches, many } = during(await openDecoys())
  for (const source of sources) {
    for (const client of await many(32, instance, source)) client.write(instance === 'redis' ? '*' : 'P')
  }
  await expect.poll(() => host.stats.openConnections).toBe(512)
  const logins = () => touches.filter(({ srcHost }) => srcHost === ELSEWHERE).map((touch) => touch.logtype)
  // Behind the first login, the host has read every one of those bytes.
  for (const expected of [[logtype], [logtype, logtype], [logtype, logtype, logtype]]) {
    const [visitor] = await many(1, instance, ELSEWHERE)
    visitor!.write(login)
    await expect.poll(logins).toEqual(expected)
  }
  // Those that left for them are touches as well.
  const left = touches.filter((touch) => touch.logtype === '22003')
  expect(new Set(left.map(({ srcHost }) => sources.includes(srcHost)))).toEqual(new Set([true]))
})

test('a dripping connection that leaves is a touch although its source was reported a moment before', async () => {
  const { host, touches, many } = during(await openDecoys(upTo(2)))
  const [reported, dripping] = await many(2, 'redis', sources[0])
  reported!.write('AUTH hunter2\r\n')
  await reported!.until(/ERR|WRONGPASS/)
  dripping!.write('*')
  await expect.poll(() => host.stats.openConnections).toBe(2)
  await many(1, 'redis', ELSEWHERE)
  await dripping!.closed
  await expect
    .poll(() => touches.map(({ srcHost, logtype }) => [srcHost, logtype]))
    .toEqual([
      [sources[0], '21001'],
      [sources[0], '22003'],
    ])
})

test('a web server answers 100 connections that one source opens at a port for 16, and resets none', async () => {
  const { host, touches, many } = during(await openDecoys(upTo(16)))
  const clients = await many(100, 'http', sources[0])
  for (const client of clients) client.write(page('close'))
  const answers = await Promise.all(clients.map(({ closed }) => closed))
  for (const { text, reset } of answers) expect([reset, text.slice(0, 12)]).toEqual([false, 'HTTP/1.1 200'])
  expect(touches.map(({ logtype }) => logtype)).toEqual(Array(100).fill('3000'))
  expect(host.stats.refused).toBe(0)
})

test('at a port full of visitors who were all answered, the next one waits until one of them leaves', async () => {
  const { host, touches, many } = during(await openDecoys(upTo(8)))
  // Of one source alone they would make room.
  const visitors: TcpClient[] = []
  for (const source of sources.slice(0, 8)) visitors.push(...(await many(1, 'http', source)))
  for (const visitor of visitors) visitor.write(page('keep-alive'))
  await Promise.all(visitors.map((visitor) => visitor.until(/HTTP\/1\.1 200/)))
  const [next] = await many(1, 'http', ELSEWHERE)
  next!.write(page('close'))
  await expect.poll(() => host.stats.waiting).toBe(1)
  expect(touches.map(({ srcHost }) => srcHost)).not.toContain(ELSEWHERE)
  visitors[0]!.socket.destroy()
  expect((await next!.closed).text).toMatch(/^HTTP\/1\.1 200/)
  expect(touches.at(-1)).toMatchObject({ srcHost: ELSEWHERE, logtype: '3000' })
})

test('at a port full of one source that was answered, its idlest connection makes room for a login from elsewhere', async () => {
  const clock = manualClock()
  const { touches, many } = during(await openDecoys({ ...upTo(8), clock }))
  const flood = await many(8, 'redis', sources[0])
  for (const [n, client] of flood.entries()) {
    clock.advance(1_000)
    client.write('PING\r\n')
    await client.until(/PONG/)
    if (n === 7) flood[0]!.write('PING\r\n')
  }
  await flood[0]!.until(/PONG\r\n.*PONG/s)
  const [visitor] = await many(1, 'redis', ELSEWHERE)
  visitor!.write('AUTH hunter2\r\n')
  expect(await visitor!.until(/\r\n/)).toMatch(/^-ERR AUTH/)
  expect(touches.at(-1)).toMatchObject({ srcHost: ELSEWHERE, logtype: '21001' })
  await flood[1]!.closed
  // A further one of the flooder finds the port full, as Redis has it.
  const [further] = await many(1, 'redis', sources[0])
  expect((await further!.closed).text).toBe('-ERR max number of clients reached\r\n')
  expect(flood.map(({ socket }) => socket.destroyed || socket.readableEnded)).toEqual(
    flood.map((_, n) => n === 1),
  )
})

test('connections that vsftpd refuses are reported: the first at once, the others with the silent ones', async () => {
  const clock = manualClock()
  const { host, touches, many } = during(await openDecoys({ clock }))
  await many(50, 'ftp', sources[0])
  await expect.poll(() => host.stats.openConnections).toBe(50)
  const refused = await many(3, 'ftp', sources[0])
  for (const { closed } of refused) expect((await closed).text).toMatch(/^421 There are too many connections/)
  const reports = () =>
    touches.map(({ srcHost, dstPort, logtype, fields }) => [srcHost, dstPort, logtype, fields])
  const first = [sources[0], 21, '22003', { SERVICE: 'ftp', COUNT: 1, REFUSED: 1 }]
  expect(reports()).toEqual([first])
  clock.advance(30_000)
  clock.advance(30_000)
  expect(reports()).toEqual([first, [sources[0], 21, '22003', { SERVICE: 'ftp', COUNT: 52, REFUSED: 2 }]])
})

/** A decoy whose server does not say how it treats a crowd. */
async function openLine(over: Partial<HostOptions>) {
  const test = during(openTestHost(over))
  await test.host.apply([lineListener(1)])
  return test
}

test('a source that holds a port silently waits 30 s behind itself, and then gives one of its own up', async () => {
  const clock = manualClock()
  const { host, touches, many } = await openLine({ ...upTo(2), clock })
  const silent = await many(2, 'line')
  await Promise.all(silent.map((client) => client.until(/hello/)))
  const [third] = await many(1, 'line')
  third!.write('said while waiting\n')
  await expect.poll(() => host.stats.waiting).toBe(1)
  clock.advance(30_000)
  await third!.until(/said while waiting/)
  await silent[0]!.closed
  expect(touches.map(({ fields }) => fields['LINE'])).toContain('said while waiting')
})

test('of a full line the source with most in it gives one up, which is reported as refused', async () => {
  const waitingPerPort = withMax(bound, 3)
  const { host, touches, many } = await openLine(upTo(1, { waitingPerPort }))
  const [served] = await many(1, 'line', sources[0])
  served!.write('a line\n')
  await served!.until(/a line/)
  const [first] = await many(3, 'line', sources[1])
  await expect.poll(() => host.stats.waiting).toBe(3)
  const [other] = await many(1, 'line', sources[2])
  expect(await first!.closed).toEqual({ text: '', reset: true })
  expect(host.stats.waiting).toBe(3)
  await expect
    .poll(() => touches.filter(({ logtype }) => logtype === '22003'))
    .toMatchObject([{ srcHost: sources[1], fields: { COUNT: 1, REFUSED: 1 } }])
  await host.close()
  expect((await other!.closed).text).toBe('')
  // One that still waits when the decoys close is reported, too.
  expect(touches.filter(({ srcHost }) => srcHost === sources[2])).toHaveLength(1)
})
