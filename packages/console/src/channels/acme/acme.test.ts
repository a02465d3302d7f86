// Certificates by ACME, as the operator and the clients of token URLs see them.
import { readFileSync } from 'node:fs'
import { Resolver } from 'node:dns/promises'
import { connect } from 'node:tls'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { problem } from '../../../test/acme-orders.ts'
import { acmeServer, DIRECTORY, type AcmeServer } from '../../../test/acme-server.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { engines, freshDatabase, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { readConfig } from '../../config/config.ts'
import type { EngineName } from '../../db/query.ts'
import { examineOrdered } from '../../maintenance/examine-certificates.ts'

const DAY_MS = 86_400_000
const ZONE = 'tokens.example.com'
const ENV = {
  ROOKERY_TOKENS_ACME: 'ops@example.com',
  ROOKERY_TOKENS_ACME_URL: DIRECTORY,
  ROOKERY_TOKENS_DOMAIN: ZONE,
  ROOKERY_TOKENS_TLS_URL: `https://${ZONE}`,
}

/** The texts that each console answers; all of them must answer the same. */
async function lookUp(consoles: readonly TestConsole[], name: string): Promise<string[]> {
  const found = await Promise.all(
    consoles.map(async ({ console }) => {
      const resolver = new Resolver()
      resolver.setServers([console.dnsAddress ?? ''])
      return (await resolver.resolveTxt(name).catch(() => [])).map((parts) => parts.join('')).sort()
    }),
  )
  const [first = []] = found
  for (const texts of found) expect(texts).toEqual(first)
  return first
}

async function open(
  engine: EngineName,
  env: Readonly<Record<string, string>> = ENV,
  mood: Partial<AcmeServer['mood']> = {},
  time: 'process' | 'database' = 'process',
  log = pino({ level: 'silent' }),
) {
  const clock = manualClock(Date.now())
  const consoles: TestConsole[] = []
  const server = acmeServer((name) => lookUp(consoles, name), clock.now)
  Object.assign(server.mood, mood)
  let requests = 0
  const outbound: Pick<AcmeServer, 'send'> = {
    send(request) {
      requests++
      return server.send(request)
    },
  }
  const url = engine === 'postgres' ? await freshDatabase() : ''
  const add = async (): Promise<TestConsole> => {
    const shared = { ROOKERY_MASTER_KEY: 'ab'.repeat(32), ROOKERY_DATABASE_URL: url }
    const made = await openTestConsole({
      time,
      log,
      world: { clock, outbound },
      env: { ...env, ...(url !== '' && shared) },
    })
    consoles.push(made)
    return made
  }
  const rookery = await add()
  /** Lets time pass until it holds. */
  const until = <T>(check: () => Promise<T>): Promise<T> =>
    vi.waitFor(
      () => {
        clock.advance(1_000)
        return check()
      },
      { timeout: 150_000, interval: 20 },
    )
  return { rookery, server, clock, until, add, requests: () => requests }
}

/** The end of the certificate that a client gets who trusts the authority alone; rejects where it is refused. */
const handshake = ({ console }: TestConsole, ca: string, servername: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port, hostname: host } = new URL(`https://${console.httpsAddress}`)
    const socket = connect({ ca, servername, host, port: Number(port) }, () =>
      resolve(socket.getPeerCertificate().valid_to),
    )
    socket.on('error', reject)
    onTestFinished(() => void socket.destroy())
  })

/** What is served, for clients whose clock does not turn with the console's. */
const served = ({ console }: TestConsole): Promise<{ issuer: string; endsAt: number }> =>
  new Promise((resolve, reject) => {
    const { port, hostname: host } = new URL(`https://${console.httpsAddress}`)
    const socket = connect({ host, port: Number(port), servername: ZONE, rejectUnauthorized: false }, () => {
      const { issuer, valid_to } = socket.getPeerCertificate()
      resolve({ issuer: String(issuer.CN), endsAt: Date.parse(valid_to) })
    })
    socket.on('error', reject)
    onTestFinished(() => void socket.destroy())
  })

const httpsChannel = async ({ api }: TestConsole) => {
  const found = (await api.tokens.channels()).channels.find(({ channel }) => channel === 'https')
  if (!found) throw new Error('There is no channel https.')
  return found
}

const findings = ({ console: { base } }: TestConsole, env = ENV) =>
  examineOrdered(base, readConfig(env), base.world.clock.now())

const reported = async ({ api }: TestConsole) =>
  (await api.incidentQueries.all()).incidents
    .filter(({ description }) => description.logtype === '23006')
    .map(({ description }) => description.events.map((event) => event['REASON']))

describe.each(engines)('a certificate by ACME (%s)', (engine) => {
  it('is for the zone and the names below it, survives a restart, and its keys are sealed', async () => {
    const { rookery, server, until } = await open(engine)
    server.mood.badNonces = 3
    await until(() => handshake(rookery, server.ca, `a1b2.${ZONE}`))
    await handshake(rookery, server.ca, ZONE)
    expect(server.given).toEqual([[`DNS:${ZONE}`, `DNS:*.${ZONE}`]])
    expect([...server.accounts.values()]).toEqual([['mailto:ops@example.com']])
    expect(await lookUp([rookery], `_acme-challenge.${ZONE}`)).toEqual([])
    await until(async () => expect((await httpsChannel(rookery)).certificate).toContain(`*.${ZONE} until 20`))
    expect(await findings(rookery)).toEqual([
      { ok: true, about: 'certificate', text: expect.stringContaining('acme.test gave one for') as string },
    ])
    const { reader } = rookery.console.base
    const stored = [
      ...(await reader.selectFrom('acme_account').selectAll().execute()),
      ...(await reader.selectFrom('acme_certificate').selectAll().execute()),
    ]
    expect(JSON.stringify(stored)).not.toContain('PRIVATE KEY')
    await rookery.restart({ ROOKERY_TOKENS_ACME: 'others@example.com' })
    await handshake(rookery, server.ca, ZONE)
    expect(server.given).toHaveLength(1)
  })

  it('is renewed at two thirds of its life', async () => {
    const { rookery, server, clock, until } = await open(engine)
    await until(() => handshake(rookery, server.ca, ZONE))
    const { endsAt } = await served(rookery)
    await rookery.restart()
    clock.leap(62 * DAY_MS)
    await until(async () => expect((await served(rookery)).endsAt).toBeGreaterThan(endsAt + 50 * DAY_MS))
    expect(server.given).toHaveLength(2)
    expect(server.accounts.size).toBe(1)
  })

  it('that ends soon is reported once, by an incident and in the list of channels', async () => {
    const { rookery, server, clock, until } = await open(engine)
    await until(() => handshake(rookery, server.ca, ZONE))
    server.mood.isAway = true
    clock.leap(78 * DAY_MS)
    await until(async () => expect(await reported(rookery)).toHaveLength(1))
    const before = await reported(rookery)
    expect(before.flat()).toContainEqual(
      expect.stringContaining(`The certificate of CN=${ZONE} in acme.test expires`),
    )
    const { missing } = await httpsChannel(rookery)
    expect(missing[0]).toContain('in acme.test expires on 20')
    await rookery.restart()
    await until(async () => expect((await findings(rookery))[0]?.ok).toBe(false))
    expect(await reported(rookery)).toEqual(before)
  })

  it('that is refused is ordered again later and later, and what is served stays', async () => {
    const refusesOrders = problem(429, 'rateLimited', 'Too many certificates', { 'retry-after': '7200' })
    const { rookery, server, clock, until, requests } = await open(engine, ENV, { refusesOrders })
    const { decoytoken } = await rookery.api.tokens.create({ kind: 'http', memo: 'm' })
    const failed = (reason: string) =>
      until(async () => expect((await httpsChannel(rookery)).missing[0]).toContain(reason))
    await failed('acme.test answered 429, rateLimited: Too many certificates. The next one begins on ')
    const [finding] = await findings(rookery)
    expect(finding).toMatchObject({
      ok: false,
      text: expect.stringContaining(
        `There is no certificate by ACME for ${ZONE} and *.${ZONE}. The last order`,
      ) as string,
    })
    const own = readFileSync(rookery.console.folder.tokensAuthority, 'utf8')
    await handshake(rookery, own, ZONE)
    await fetch(new URL(new URL(decoytoken.url).pathname, rookery.console.tokensUrl))
    expect((await rookery.api.incidentQueries.all()).incidents).toHaveLength(1)

    const asked = requests()
    clock.advance(7_000_000)
    await rookery.restart()
    await until(async () => expect((await httpsChannel(rookery)).listens).not.toBe(''))
    expect(requests()).toBe(asked)

    server.mood.refusesOrders = undefined
    server.mood.otherNames = ['other.example.com']
    clock.advance(200_000)
    await failed(`gave a certificate that is not for ${ZONE} and *.${ZONE}: DNS:other.example.com`)
    server.mood.isAway = true
    clock.advance(3_600_000)
    await failed('acme.test cannot be asked. The connection was refused.')
    expect(await reported(rookery)).toEqual([])
    Object.assign(server.mood, { isAway: false, otherNames: undefined })
    clock.advance(7_200_000)
    await until(async () => expect((await served(rookery)).issuer).toContain('Test Authority'))
    await until(async () => expect((await httpsChannel(rookery)).missing[0]).toContain('No other machine'))
  })

  it('that is over already is refused, and ordered again no sooner than after five minutes', async () => {
    const { rookery, server, clock, until, requests } = await open(engine, ENV, { lifeMs: 0 })
    await until(async () =>
      expect((await findings(rookery))[0]?.text).toMatch(
        /acme\.test gave a certificate that is valid from .* to .*, and it is .* here: check the clock/,
      ),
    )
    const asked = requests()
    clock.advance(200_000)
    await rookery.restart()
    await until(async () => expect((await httpsChannel(rookery)).listens).not.toBe(''))
    expect([requests(), server.given]).toEqual([asked, [[`DNS:${ZONE}`, `DNS:*.${ZONE}`]]])
    server.mood.lifeMs = 90 * DAY_MS
    clock.advance(300_000)
    await until(async () => expect((await served(rookery)).issuer).toContain('Test Authority'))
  })

  it('is refused while the zone is not delegated, and says so', async () => {
    const { rookery, until } = await open(engine, ENV, { isBlind: true })
    await until(async () =>
      expect((await findings(rookery))[0]?.text).toContain(
        `refused the proof for ${ZONE}: unauthorized: No TXT record. It asks for the TXT record of _acme-challenge.${ZONE}: check`,
      ),
    )
  })
})

it('one console of several orders the certificate; all prove the zone, and all serve it', async () => {
  const env = { ...ENV, ROOKERY_TOKENS_ACME: '' }
  let holders = 0
  const count = (line: string): void =>
    void (holders += Number(/this console holds the lease/.test(line) && /"lease":"acme"/.test(line)))
  const log = pino({ level: 'info' }, { write: count })
  const { rookery, server, until, add } = await open('postgres', env, {}, 'database', log)
  await rookery.restart({ ROOKERY_TOKENS_ACME: 'ops@example.com' })
  const other = await add()
  await other.restart({ ROOKERY_TOKENS_ACME: 'ops@example.com' })
  for (const console of [rookery, other]) await until(() => handshake(console, server.ca, ZONE))
  // A lease of five seconds ends under a console that the machine holds up for so long: the next holder orders, too.
  expect(server.given.length).toBeGreaterThan(0)
  expect(server.given.length).toBeLessThanOrEqual(holders)
  await until(async () => expect(await served(other)).toEqual(await served(rookery)))
})

describe('options of ACME', () => {
  it.each([
    [{ ROOKERY_TOKENS_ACME: 'nobody' }, 'ROOKERY_TOKENS_ACME must be an e-mail address, not "nobody".'],
    [
      { ROOKERY_TOKENS_ACME_URL: 'http://acme.test' },
      'ROOKERY_TOKENS_ACME_URL must be an https URL, not "http://acme.test".',
    ],
    [
      { ROOKERY_TOKENS_DOMAIN: '', ROOKERY_TOKENS_TLS_URL: '' },
      'ROOKERY_TOKENS_ACME needs the zone that is delegated to this console: ROOKERY_TOKENS_DOMAIN is "tokens.localhost".',
    ],
    [
      { ROOKERY_TOKENS_TLS_CERT: '/a.pem', ROOKERY_TOKENS_TLS_KEY: '/a.key' },
      'ROOKERY_TOKENS_ACME and ROOKERY_TOKENS_TLS_CERT are both set; set one of them.',
    ],
    [
      { ROOKERY_TOKENS_TLS_URL: 'https://files.example.com' },
      `ROOKERY_TOKENS_ACME gets a certificate for ${ZONE} and *.${ZONE}, and ROOKERY_TOKENS_TLS_URL names files.example.com: name one of them, or give a certificate in ROOKERY_TOKENS_TLS_CERT.`,
    ],
  ])('that are wrong stop the start: %j', async (env, message) => {
    await expect(openTestConsole({ env: { ...ENV, ...env } })).rejects.toMatchObject({
      code: 'bad-input',
      message,
    })
  })

  it('that name no directory are said so', async () => {
    const { rookery, until } = await open('sqlite', {
      ...ENV,
      ROOKERY_TOKENS_ACME_URL: 'https://acme.test/nonce',
    })
    await until(async () =>
      expect((await httpsChannel(rookery)).missing[0]).toContain(
        'ROOKERY_TOKENS_ACME_URL is https://acme.test/nonce, which answered 204 and no directory of ACME',
      ),
    )
  })
})
