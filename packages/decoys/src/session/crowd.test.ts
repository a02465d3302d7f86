import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { connectTo } from '../../test/tcp-client.ts'
import { manualClock } from '../../test/manual-clock.ts'
import { connectMany, openDecoys as openEveryDecoy } from '../../test/open-decoys.ts'
import { portOf } from '../../test/test-host.ts'
import { maxStartups } from './crowd.ts'
import type { Host, HostOptions } from '../host/host.ts'

const opened: Host[] = []
afterEach(() => Promise.all(opened.splice(0).map((host) => host.close())))

async function openDecoys(over: Partial<HostOptions> = {}) {
  const test = await openEveryDecoy(over)
  opened.push(test.host)
  return test
}

const newcomer = { address: '192.0.2.7', source: '192.0.2.7', now: 0, random: randomBytes }

test('sshd drops by chance from 10 connections on, and each from 100 on', () => {
  const { refusal } = maxStartups(10, 30, 100)
  const share = (open: number): number =>
    Array.from({ length: 2_000 }, () => refusal({ ...newcomer, open })).filter((text) => text !== undefined)
      .length / 2_000
  expect(share(9)).toBe(0)
  expect(share(10)).toBeGreaterThan(0.2)
  expect(share(10)).toBeLessThan(0.4)
  expect(share(55)).toBeGreaterThan(0.55)
  expect(share(55)).toBeLessThan(0.75)
  expect(share(100)).toBe(1)
  expect(refusal({ ...newcomer, open: 100 })).toBe('Exceeded MaxStartups\r\n')
})

test.each([
  ['redis', 'PING\r\n', /\+PONG/],
  ['http', 'GET / HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 200/],
])('%s serves 120 connections of one source, as the real server', async (instance, question, answer) => {
  const { host } = await openDecoys()
  const clients = await connectMany(120, portOf(host, instance))
  for (const client of clients) client.write(question)
  await Promise.all(clients.map((client) => client.until(answer)))
  for (const { socket } of clients) socket.destroy()
})

test('vsftpd serves 50 connections of one source, and refuses more with its own words and a FIN', async () => {
  const { host } = await openDecoys()
  const clients = await connectMany(50, portOf(host, 'ftp'))
  await Promise.all(clients.map((client) => client.until(/^220 /)))
  expect(await connectTo(portOf(host, 'ftp')).closed).toEqual({
    text: '421 There are too many connections from your internet address.\r\n',
    reset: false,
  })
  clients[0]!.write('QUIT\r\n')
  await clients[0]!.closed
  while (host.stats.openConnections > 49) await new Promise(setImmediate)
  const next = connectTo(portOf(host, 'ftp'))
  await next.until(/^220 /)
  for (const { socket } of [next, ...clients]) socket.destroy()
})

const CREDENTIALS = 'username=root&password=hunter2'
const LOGIN = `POST /index.html HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${CREDENTIALS.length}\r\n\r\n${CREDENTIALS}`

test('while eight sources hold a decoy full of silence, a login from elsewhere is an event', async () => {
  const bound = limit('test_crowd', 64)
  const { host, touches } = await openDecoys({ limits: { perPort: withMax(bound, 64) } })
  for (const [instance, login, logtype, most] of [
    ['redis', 'AUTH hunter2\r\n', '21001', 12],
    ['ftp', 'USER root\r\nPASS hunter2\r\n', '2000', 12],
    ['http', LOGIN, '3001', 12],
  ] as const) {
    const addresses = Array.from({ length: 8 }, (_, n) => `127.0.0.${n + 2}`)
    const silent = await Promise.all(
      addresses.map((address) => connectMany(most, portOf(host, instance), address)),
    )
    const client = connectTo(portOf(host, instance))
    client.write(login)
    await expect.poll(() => touches.map((touch) => touch.logtype)).toContain(logtype)
    client.socket.destroy()
    for (const { socket } of silent.flat()) socket.destroy()
  }
  // Connections that had to leave were silent: one event of each source says so.
  const reports = touches.filter(({ logtype }) => logtype === '22003')
  expect(new Set(reports.map(({ srcHost }) => srcHost)).size).toBe(reports.length)
})

test('a connection on which no more is said than a scanner says is reported at its close', async () => {
  const { host, touches } = await openDecoys({})
  const reports = () => touches.map(({ instance, logtype }) => `${instance} ${logtype}`)
  const scanner = connectTo(portOf(host, 'ftp'))
  await scanner.until(/220 /)
  scanner.write('SYST\r\n')
  await scanner.until(/530 /)
  expect(reports()).toEqual([])
  scanner.socket.destroy()
  await expect.poll(reports).toEqual(['ftp 22003'])
})

test('what is said behind a report of the same source and decoy is no event of its own', async () => {
  const { host, touches } = await openDecoys({})
  const reports = () => touches.map(({ instance, logtype }) => `${instance} ${logtype}`)
  for (const said of ['AUTH hunter2\r\n', '*1\r\n']) {
    const client = connectTo(portOf(host, 'redis'))
    client.write(said)
    if (said.startsWith('AUTH')) await client.until(/WRONGPASS|ERR/)
    client.socket.end()
    await client.closed
  }
  expect(reports()).toEqual(['redis 21001'])
  const elsewhere = connectTo(portOf(host, 'ftp'))
  elsewhere.write('SYST\r\n')
  await elsewhere.until(/530 /)
  elsewhere.socket.destroy()
  await expect.poll(reports).toEqual(['redis 21001', 'ftp 22003'])
})

test('silence is an event after 30 s or at the close, once a minute and source; words are none', async () => {
  const clock = manualClock()
  const { host, touches } = await openDecoys({ clock })
  const reports = () =>
    touches
      .filter(({ logtype }) => logtype === '22003')
      .map(({ instance, srcHost, dstPort, fields }) => ({ instance, srcHost, dstPort, ...fields }))
  const [held, left, talks] = await connectMany(3, portOf(host, 'redis'))
  talks!.write('PING\r\n')
  await talks!.until(/PONG/)
  left!.socket.destroy()
  const first = {
    instance: 'redis',
    srcHost: '127.0.0.1',
    dstPort: 6379,
    SERVICE: 'redis',
    COUNT: 1,
    REFUSED: 0,
  }
  await expect.poll(reports).toEqual([first])
  clock.advance(30_000)
  talks!.socket.destroy()
  while (host.stats.openConnections > 1) await new Promise(setImmediate)
  expect(reports()).toEqual([first])
  clock.advance(30_000)
  expect(reports()).toEqual([first, first])
  held!.socket.destroy()
})
