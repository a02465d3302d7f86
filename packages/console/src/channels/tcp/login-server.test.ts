// Logins at the listener, over real sockets, with a clock that the test turns.
import { connect, type Socket } from 'node:net'
import { declaredLimits, limit, withMax } from '@rookery/kernel/limit.ts'
import { packet } from '@rookery/tokens/channels/mysql/packet.ts'
import { mysqlLogin, postgresRequest, postgresStart, SSL_REQUEST } from '@rookery/tokens/client-logins.ts'
import fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import type { TokenOutcome, TokenVisit } from '../../flows/ingest/ingest-item.ts'
import { hostPort } from '../../addresses/host-port.ts'
import { parseRanges } from '../../addresses/ranges.ts'
import { newTokenId } from '../../secrets/token-id.ts'
import { openVault } from '../../secrets/vault.ts'
import { systemRandom } from '../../world/system.ts'
import { openMysqlServer } from '../mysql/server.ts'
import { openPostgresServer } from '../postgres/server.ts'

const PER_SOURCE = limit('test_connections_per_source', 1_000)
const OUTCOME: TokenOutcome = { kind: undefined, settings: {} }
const SERVERS = { mysql: openMysqlServer, postgres: openPostgresServer } as const

/** A listener whose touches are committed when the test says so. */
async function openListener(
  channel: keyof typeof SERVERS,
  { perSource = 1_000, balancers }: { perSource?: number; balancers?: string } = {},
) {
  const clock = manualClock()
  const vault = openVault(systemRandom.bytes(32), systemRandom)
  const submitted: TokenVisit[] = []
  const reached: string[] = []
  const waiting = Promise.withResolvers<void>()
  const committed = Promise.withResolvers<TokenOutcome>()
  const logged: string[] = []
  const server = await SERVERS[channel](
    {
      world: { clock, random: systemRandom },
      vault,
      log: pino({}, { write: (line: string) => logged.push(line) }),
      trusted: parseRanges('', 'trusted'),
      balancers: balancers === undefined ? undefined : parseRanges(balancers, 'balancers'),
      perSource: withMax(PER_SOURCE, perSource),
      advertisedPort: 3_306,
      onRequest: (srcHost) => reached.push(srcHost),
      touches: {
        submit(visit) {
          submitted.push(visit)
          waiting.resolve()
          return committed.promise
        },
      },
    },
    '127.0.0.1:0',
  )
  onTestFinished(server.stop)
  const open = (): Client => openClient(server.address)
  const tokenId = newTokenId(systemRandom, vault)
  return { clock, server, tokenId, submitted, reached, waiting: waiting.promise, committed, logged, open }
}

interface Client {
  readonly socket: Socket
  /** Resolves with all that came once there are so many bytes. */
  received(least: number): Promise<Buffer>
  /** Resolves with all that came once the connection is closed. */
  readonly closed: Promise<Buffer>
}

function openClient(address: string): Client {
  const { host, port } = hostPort(address)
  const socket = connect(port, host)
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  let all: Buffer = Buffer.alloc(0)
  socket.on('data', (bytes) => (all = Buffer.concat([all, bytes])))
  return {
    socket,
    closed: new Promise((resolve) => socket.once('close', () => resolve(all))),
    async received(least) {
      while (all.length < least) await new Promise((resolve) => socket.once('data', resolve))
      return all
    },
  }
}

/** Lets what is on its way arrive. */
async function settle(): Promise<void> {
  for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve))
}

describe('a login with a token', () => {
  it('is refused after its touch is committed, and not before', async () => {
    const { open, tokenId, submitted, reached, waiting, committed } = await openListener('mysql')
    const { socket, received, closed } = open()
    const greeting = (await received(5)).length
    socket.write(mysqlLogin({ user: `${tokenId.toUpperCase()}.de_DE.db1`, database: 'crm' }))
    await waiting
    await settle()
    expect((await received(5)).length).toBe(greeting)
    committed.resolve(OUTCOME)
    expect((await closed).subarray(greeting + 4).toString('latin1')).toMatch(
      /^\xff\x15\x04#28000Access denied for user '[A-Z0-9]{25}\.de_DE\.db1'@'127\.0\.0\.1' \(using password: NO\)$/,
    )
    expect(reached).toEqual(['127.0.0.1'])
    expect(submitted).toMatchObject([
      {
        tokenId,
        srcPort: 0,
        dstHost: '127.0.0.1',
        visit: { channel: 'mysql', dstPort: 3_306, database: 'crm' },
      },
    ])
  })

  it('is refused alike where its touch cannot be stored, and the log says so', async () => {
    const { open, tokenId, waiting, committed, logged } = await openListener('postgres')
    const { socket, closed } = open()
    socket.write(postgresStart({ user: tokenId }))
    await waiting
    committed.reject(new Error('refused'))
    expect((await closed).toString()).toContain('no pg_hba.conf entry')
    expect(logged.join()).toContain('token answer failed')
  })

  it('is read behind a request for TLS, in whatever pieces it comes', async () => {
    const { open, tokenId, committed, submitted } = await openListener('postgres')
    committed.resolve(OUTCOME)
    const { socket, received, closed } = open()
    socket.setNoDelay()
    socket.write(SSL_REQUEST)
    expect((await received(1)).toString()).toBe('N')
    for (const byte of postgresStart({ user: 'app', database: tokenId })) {
      socket.write(Buffer.from([byte]))
      await settle()
    }
    expect((await closed).toString()).toMatch(/^NE[^]*no pg_hba\.conf entry/)
    expect(submitted).toHaveLength(1)
  })
})

describe('a login by another plugin than the server has', () => {
  const sha2 = (user: string): Buffer => mysqlLogin({ user, plugin: 'caching_sha2_password' })
  const SWITCH_BYTES = 48

  it('fires, is asked for its password again, and is refused by what it replies', async () => {
    const { open, tokenId, submitted, waiting, committed } = await openListener('mysql')
    const { socket, received, closed } = open()
    const greeting = (await received(5)).length
    socket.write(sha2(tokenId))
    await waiting
    await settle()
    expect((await received(5)).length).toBe(greeting)
    committed.resolve(OUTCOME)
    const asked = (await received(greeting + SWITCH_BYTES)).subarray(greeting)
    expect(asked.toString('latin1')).toMatch(/^,\0\0\x02\xfemysql_native_password\0.{20}\0$/)
    socket.write(packet(3, Buffer.alloc(20)))
    const refusal = (await closed).subarray(greeting + SWITCH_BYTES).toString('latin1')
    expect(refusal).toMatch(/^.\0\0\x04\xff\x15\x04#28000Access denied .* \(using password: YES\)$/)
    expect(submitted).toHaveLength(1)
  })

  it('fires where the client leaves, or never replies', async () => {
    const { open, clock, tokenId, submitted, committed } = await openListener('mysql')
    committed.resolve(OUTCOME)
    for (const leave of [(socket: Socket) => socket.destroy(), () => clock.advance(10_000)]) {
      const { socket, received, closed } = open()
      const greeting = (await received(5)).length
      socket.write(sha2(tokenId))
      await received(greeting + SWITCH_BYTES)
      leave(socket)
      await closed
    }
    expect(submitted).toHaveLength(2)
  })

  it('is refused at once where the reply came with it', async () => {
    const { open, tokenId, committed } = await openListener('mysql')
    committed.resolve(OUTCOME)
    const { socket, closed } = open()
    socket.write(Buffer.concat([sha2(tokenId), packet(3, Buffer.alloc(0))]))
    expect((await closed).toString('latin1')).toMatch(/using password: NO\)$/)
  })
})

describe('a client', () => {
  it('without a token is refused alike, and stores nothing', async () => {
    const { open, submitted, reached } = await openListener('mysql')
    const { socket, closed } = open()
    socket.write(mysqlLogin({ user: 'root', password: Buffer.alloc(20, 'x') }))
    expect((await closed).toString('latin1')).toContain("'root'@'127.0.0.1' (using password: YES)")
    expect([submitted, reached]).toEqual([[], ['127.0.0.1']])
  })

  it('that sends nothing is closed after three seconds', async () => {
    const { open, clock } = await openListener('mysql')
    const { received, closed } = open()
    await received(5)
    for (let tick = 0; tick < 4; tick++) clock.advance(1_000)
    await closed
  })

  it('that does not finish is closed after ten seconds', async () => {
    const { open, clock } = await openListener('mysql')
    const { socket, received, closed } = open()
    await received(5)
    socket.write(mysqlLogin({ user: 'root' }).subarray(0, 20))
    await settle()
    let isOpen = true
    void closed.then(() => (isOpen = false))
    clock.advance(9_000)
    await settle()
    expect(isOpen).toBe(true)
    clock.advance(1_000)
    await closed
  })

  it('that sends more than a login, or asks for encryption again and again, is closed without an answer', async () => {
    const { open } = await openListener('postgres')
    const long = open()
    for (let n = 0; n < 2; n++) long.socket.write(postgresRequest(80_877_103, 'x'.repeat(9_000)))
    expect((await long.closed).toString()).toMatch(/^N*$/)
    const often = open()
    for (let n = 0; n < 9; n++) often.socket.write(SSL_REQUEST)
    expect((await often.closed).toString()).toBe('NN')
  })

  it('of a source that has all its connections takes the place of one that says nothing', async () => {
    const { clock, open } = await openListener('mysql', { perSource: 1 })
    const silent = open()
    await silent.received(5)
    const { socket, received } = open()
    await new Promise((resolve) => socket.once('connect', resolve))
    clock.advance(1_000)
    await silent.closed
    await received(5)
  })

  it('that sends on after its refusal is read at a bounded rate, and closed a second later', async () => {
    const { open, clock } = await openListener('mysql')
    const bound = [...declaredLimits()].find(({ name }) => name === 'login_bytes_dropped_per_second')
    const { socket, closed } = open()
    socket.write(mysqlLogin({ user: 'root' }))
    socket.write(Buffer.alloc(64 * 1024 * 1024))
    const before = bound?.hits() ?? 0
    await expect.poll(() => bound?.hits()).toBeGreaterThan(before)
    expect(bound?.max).toBe(16 * 1024 * 1024)
    clock.advance(1_000)
    await closed
  })

  it('that sends anything at all stops nothing', async () => {
    for (const channel of ['mysql', 'postgres'] as const) {
      const { open, tokenId, committed } = await openListener(channel)
      committed.resolve(OUTCOME)
      const sample = channel === 'mysql' ? mysqlLogin({ user: tokenId }) : postgresStart({ user: tokenId })
      for (const [at, more] of fc.sample(fc.tuple(fc.nat(sample.length), fc.uint8Array()), 60)) {
        const { socket } = open()
        const bytes = Buffer.from(sample)
        bytes.set(more.subarray(0, bytes.length - Math.min(at, bytes.length)), Math.min(at, bytes.length))
        socket.end(bytes)
      }
      const { socket, closed } = open()
      socket.write(sample)
      expect((await closed).length).toBeGreaterThan(50)
    }
  })
})

describe('behind a load balancer', () => {
  it.each(['mysql', 'postgres'] as const)('a login by %s is of the client that it names', async (channel) => {
    const { open, tokenId, submitted, reached, committed } = await openListener(channel, {
      balancers: '127.0.0.1',
    })
    committed.resolve(OUTCOME)
    const { socket, closed } = open()
    socket.write('PROXY TCP4 192.0.2.7 203.0.113.5 56324 3306\r\n')
    socket.write(channel === 'mysql' ? mysqlLogin({ user: tokenId }) : postgresStart({ user: tokenId }))
    expect((await closed).toString('latin1')).toContain('192.0.2.7')
    expect(reached).toEqual(['192.0.2.7'])
    expect(submitted.map(({ visit }) => visit.srcHost)).toEqual(['192.0.2.7'])
  })

  it('a server that speaks first says nothing before the client is known', async () => {
    const { open, submitted } = await openListener('mysql', { balancers: '127.0.0.1' })
    const { socket, closed } = open()
    socket.write(mysqlLogin({ user: 'root' }))
    expect(await closed).toEqual(Buffer.alloc(0))
    expect(submitted).toEqual([])
  })
})

it('a stop closes every connection', async () => {
  const { open, server } = await openListener('mysql')
  const { received, closed } = open()
  await received(5)
  await server.stop()
  await closed
  await expect(server.stop()).resolves.toBeUndefined()
})
