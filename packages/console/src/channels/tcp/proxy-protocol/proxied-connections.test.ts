// Token URLs behind a load balancer, which is 127.0.0.1 here: bare sockets, and clients of TLS.
import { connect, createServer, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { limit } from '@rookery/kernel/limit.ts'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendBytes } from '../../../../test/bytes.ts'
import { listen } from '../../../../test/listen.ts'
import { manualClock } from '../../../../test/manual-clock.ts'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'
import { parseRanges } from '../../../addresses/ranges.ts'
import { openProxiedConnections } from './proxied-connections.ts'

const CLIENT = 'PROXY TCP4 192.0.2.7 203.0.113.5 56324 80\r\n'
const lineOf = (client: string): string => `PROXY TCP4 ${client} 203.0.113.5 56324 80\r\n`
const CLIENT_V2 = Buffer.from(
  '0d0a0d0a000d0a515549540a2121002420010db800000000000000000000000720010db8000000000000000000000001dc0401bb',
  'hex',
)
const LOCAL_V2 = Buffer.from('0d0a0d0a000d0a515549540a20000000', 'hex')

const behind = (env: Readonly<Record<string, string>> = {}, more = {}): Promise<TestConsole> =>
  openTestConsole({ env: { ROOKERY_TOKENS_PROXY_PROTOCOL: '127.0.0.1', ...env }, ...more })

async function plant({ api }: TestConsole): Promise<string> {
  const { decoytoken } = await api.tokens.create({ kind: 'http', memo: 'm', flock_id: 'flock:default' })
  return decoytoken.decoytoken
}

const sources = async ({ api }: TestConsole): Promise<unknown[]> =>
  (await api.incidentQueries.all()).incidents
    .flatMap(({ description }) => description.events)
    .map((event) => event['src_host'])

const get = (id: string, ...headers: string[]): string =>
  [`GET /${id} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n')

const speak = (rookery: TestConsole, ...bytes: (string | Buffer)[]): Promise<string> =>
  sendBytes(
    rookery.console.tokensUrl ?? '',
    Buffer.concat(bytes.map((it) => (typeof it === 'string' ? Buffer.from(it, 'latin1') : it))),
  )

/** A connection that stays open; answers what comes back up to so many bytes, or all until it is closed. */
function open(rookery: TestConsole): { socket: Socket; next: () => Promise<string> } {
  const socket = connect(Number(new URL(rookery.console.tokensUrl ?? '').port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  return {
    socket,
    next: () =>
      new Promise((resolve) => {
        socket.once('data', (bytes) => resolve(bytes.toString('latin1')))
        socket.once('close', () => resolve(''))
        if (socket.destroyed) resolve('')
      }),
  }
}

describe.each(engines)('a touch through a load balancer (%s)', (engine) => {
  it('is of the client that the balancer names, in either version', async () => {
    const rookery = await behind({}, { engine })
    const [first, second] = [await plant(rookery), await plant(rookery)]
    expect(await speak(rookery, CLIENT, get(first))).toContain('200 OK')
    expect(await speak(rookery, CLIENT_V2, get(second))).toContain('200 OK')
    expect((await sources(rookery)).sort()).toEqual(['192.0.2.7', '2001:db8::7'])
  })
})

describe('a connection of a load balancer', () => {
  it('is of its client however slowly its header comes, and for every request', async () => {
    const rookery = await behind()
    const ids = [await plant(rookery), await plant(rookery)]
    const { socket, next } = open(rookery)
    socket.setNoDelay()
    for (const byte of Buffer.from(`${CLIENT}GET /`)) {
      socket.write(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    socket.write(`${ids[0]} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(await next()).toContain('200 OK')
    socket.write(get(ids[1] ?? ''))
    expect(await next()).toContain('200 OK')
    expect(await sources(rookery)).toEqual(['192.0.2.7', '192.0.2.7'])
  })

  it('that is its own, or of a client that it does not know, has its own address', async () => {
    const rookery = await behind()
    for (const header of [LOCAL_V2, 'PROXY UNKNOWN\r\n', 'PROXY UNKNOWN 6.6.6.6 7.7.7.7 1 2\r\n'])
      await speak(rookery, header, get(await plant(rookery)))
    expect(await sources(rookery)).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1'])
  })

  it('without a whole and right header is closed without an answer, nothing fires, and the log says why', async () => {
    const lines: string[] = []
    const rookery = await behind({}, { log: pino({}, { write: (line: string) => lines.push(line) }) })
    const id = await plant(rookery)
    for (const header of [
      '',
      'PROXY TCP4 6.6.6.6 ::1 1 2\r\n',
      'PROXY TCP4 6.6.6.6\r\n',
      CLIENT_V2.subarray(0, 12),
    ])
      expect(await speak(rookery, header, get(id))).toBe('')
    // A header behind the header is the client's own text.
    expect(await speak(rookery, CLIENT, lineOf('6.6.6.6'), get(id))).toContain('400 Bad Request')
    expect(await sources(rookery)).toEqual([])
    const refusals = lines.filter((line) => line.includes('PROXY header cannot be used'))
    expect(refusals.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ balancer: '127.0.0.1', reason: 'it does not begin with a PROXY header' }),
      expect.objectContaining({ reason: expect.stringContaining('TCP4 or TCP6') as string }),
      expect.objectContaining({ reason: expect.stringContaining('TCP4 or TCP6') as string }),
      expect.objectContaining({ reason: expect.stringContaining('version') as string }),
    ])
  })

  it('whose header does not come within five seconds is closed', async () => {
    const clock = manualClock(Date.now())
    const rookery = await behind({}, { world: { clock } })
    const { socket } = open(rookery)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const passed = open(rookery)
    passed.socket.write(CLIENT)
    socket.write(CLIENT.slice(0, 20))
    // Answered after both were read.
    expect(await speak(rookery, CLIENT, get('x'))).toContain('200 OK')
    clock.advance(5_000)
    await closed
  })

  it('has as many connections as its clients may have; a further one takes the place of the client’s idle one', async () => {
    const rookery = await behind({ ROOKERY_CONNECTIONS_PER_SOURCE: '2' })
    const closed: string[] = []
    const ask = async (name: string, client: string): Promise<string> => {
      const { socket, next } = open(rookery)
      socket.once('close', () => closed.push(name))
      socket.write(`${lineOf(client)}GET / HTTP/1.1\r\nHost: x\r\n\r\n`)
      return (await next()).slice(0, 15)
    }
    for (const client of ['192.0.2.7', '192.0.2.8'])
      for (const nth of [1, 2, 3]) expect(await ask(`${client} ${nth}`, client)).toBe('HTTP/1.1 200 OK')
    await expect.poll(() => closed).toEqual(['192.0.2.7 1', '192.0.2.8 1'])
  })

  it('whose client sends nothing behind the header is closed after three seconds', async () => {
    const clock = manualClock(Date.now())
    const rookery = await behind({}, { world: { clock } })
    const { socket } = open(rookery)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(CLIENT)
    expect(await speak(rookery, CLIENT, get('x'))).toContain('200 OK')
    clock.advance(3_000)
    await closed
  })

  it('that waits for its header ends with the console', async () => {
    const rookery = await behind({}, { world: { clock: manualClock(Date.now()) } })
    const { socket, next } = open(rookery)
    socket.write('PROXY')
    expect(await speak(rookery, CLIENT, get('x'))).toContain('200 OK')
    await rookery.console.stop()
    expect(await next()).toBe('')
  })

  it('by HTTPS is of its client, too, and the token shows how that client speaks TLS', async () => {
    const rookery = await behind({ ROOKERY_TRUSTED_PROXIES: '198.51.100.1' })
    const touch = async (from: string, ...headers: string[]): Promise<void> => {
      const { decoytoken } = await rookery.api.tokens.create({
        kind: 'cloned-css',
        memo: 'm',
        flock_id: 'flock:default',
      })
      const { port } = new URL(`https://${rookery.console.httpsAddress}`)
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(lineOf(from))
      const secured = connectTls({ socket, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
      onTestFinished(() => void secured.destroy())
      secured.write(get(decoytoken.decoytoken, 'Referer: https://copy.example.net/', ...headers))
      await new Promise((resolve) => secured.resume().once('close', resolve))
    }
    await touch('192.0.2.7')
    // A proxy that forwards the request speaks TLS itself.
    await touch('198.51.100.1', 'X-Forwarded-For: 192.0.2.8')
    const { incidents } = await rookery.api.incidentQueries.all()
    const events = incidents.flatMap(({ description }) => description.events)
    const of = (host: string) => events.find((event) => event['src_host'] === host)
    expect(of('192.0.2.7')?.['ja4']).toMatch(/^t13i\d{4}h1_[0-9a-f]{12}_[0-9a-f]{12}$/)
    expect(of('192.0.2.8')).toBeDefined()
    expect(of('192.0.2.8')).not.toHaveProperty('ja4')
  })
})

describe('a proxy', () => {
  it('between client and balancer is believed where it is trusted, and only there', async () => {
    const rookery = await behind({ ROOKERY_TRUSTED_PROXIES: '198.51.100.0/24' })
    const touch = async (from: string): Promise<string> =>
      speak(rookery, lineOf(from), get(await plant(rookery), 'X-Forwarded-For: 6.6.6.6, 203.0.113.9'))
    await touch('198.51.100.1')
    await touch('192.0.2.7')
    expect((await sources(rookery)).sort()).toEqual(['192.0.2.7', '203.0.113.9'])
  })

  it('names its client in the header of the option, and the other one is never read', async () => {
    for (const [option, client] of [
      ['x-forwarded-for', '192.0.2.7'],
      ['forwarded', '2001:db8::7'],
    ] as const) {
      const rookery = await openTestConsole({
        env: { ROOKERY_TRUSTED_PROXIES: '127.0.0.1', ROOKERY_TOKENS_FORWARDED_HEADER: option },
      })
      const both = [
        'X-Forwarded-For: 192.0.2.7',
        'Forwarded: for=6.6.6.6',
        'Forwarded: For="[2001:db8::7]:4711";proto=https',
      ]
      await speak(rookery, get(await plant(rookery), ...both))
      expect(await sources(rookery)).toEqual([client])
      const other = option === 'forwarded' ? 'X-Forwarded-For: 6.6.6.6' : 'Forwarded: for=6.6.6.6'
      await speak(rookery, get(await plant(rookery), other))
      expect((await sources(rookery)).sort()).toEqual(['127.0.0.1', client].sort())
    }
  })
})

it('a client cannot hide what its proxy says of it behind 1,500 headers of its own', async () => {
  const rookery = await openTestConsole({ env: { ROOKERY_TRUSTED_PROXIES: '127.0.0.1' } })
  const many = Array.from({ length: 1_500 }, (_, n) => `A${n}:`)
  await speak(rookery, get(await plant(rookery), ...many, 'X-Forwarded-For: 192.0.2.7'))
  expect(await sources(rookery)).not.toContain('127.0.0.1')
})

it('a client cannot hide what its proxy says of it behind a head that is too long', async () => {
  const rookery = await openTestConsole({ env: { ROOKERY_TRUSTED_PROXIES: '127.0.0.1' } })
  const request = get(await plant(rookery), `A: ${'a'.repeat(20_000)}`, 'X-Forwarded-For: 192.0.2.7')
  expect(await speak(rookery, request)).toContain('400 Bad Request')
  expect(await sources(rookery)).not.toContain('127.0.0.1')
})

it('a client that is no load balancer is not believed: its header is a bad request', async () => {
  for (const env of [
    { ROOKERY_TOKENS_PROXY_PROTOCOL: '10.0.0.0/8' },
    { ROOKERY_TRUSTED_PROXIES: '127.0.0.1' },
  ]) {
    const rookery = await openTestConsole({ env })
    const id = await plant(rookery)
    for (const header of [CLIENT, CLIENT_V2])
      expect(await speak(rookery, header, get(id))).toContain('400 Bad Request')
    expect(await sources(rookery)).toEqual([])
    await speak(rookery, get(id))
    expect(await sources(rookery)).toEqual(['127.0.0.1'])
  }
})

const BOUND = limit('test_proxy_headers_awaited', 3)

it('of connections whose headers have not come the oldest makes room, and those that said theirs stay', async () => {
  const server = createServer((socket) => socket.end(proxied.clientOf(socket)))
  const proxied = openProxiedConnections({
    clock: manualClock(),
    log: pino({ level: 'silent' }),
    bound: BOUND,
    balancers: parseRanges('127.0.0.1', 'balancers'),
  })
  proxied.guard(server)
  const port = await listen(server)
  onTestFinished(() => proxied.stop())
  const open = async (): Promise<{ socket: Socket; closed: Promise<string> }> => {
    const accepted = new Promise((resolve) => server.once('connection', resolve))
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let text = ''
    socket.on('data', (bytes) => (text += bytes.toString()))
    socket.on('error', () => undefined)
    await accepted
    return { socket, closed: new Promise((resolve) => socket.once('close', () => resolve(text))) }
  }
  const [first, second, third] = [await open(), await open(), await open()]
  const fourth = await open()
  expect(await first.closed).toBe('')
  for (const { socket, closed } of [second, third, fourth]) {
    socket.write(CLIENT)
    expect(await closed).toBe('192.0.2.7')
  }
  expect(BOUND.hits()).toBe(1)
})
