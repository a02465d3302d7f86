import { Agent, get } from 'node:https'
import { Resolver } from 'node:dns/promises'
import { describe, expect, it } from 'vitest'
import { servedChannels } from '@rookery/tokens/visit.ts'
import { readCsv } from '@rookery/kernel/csv/read.ts'
import { occupy } from '../../../test/listen.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { hostPort } from '../../addresses/host-port.ts'
import { examineBase } from '../../maintenance/doctor.ts'
import { readConfig } from '../../config/config.ts'
import { OPTIONS } from '../../config/options.ts'

const create = async (rookery: TestConsole, params: { kind: string; custom_domain?: string }) =>
  rookery.api.tokens.create({ memo: 'On the file server', ...params })

const channelsOf = async ({ api }: TestConsole) =>
  new Map((await api.tokens.channels()).channels.map((channel) => [channel.channel, channel]))

/** What doctor says of the channels. */
const findings = async ({ console }: TestConsole) =>
  (await examineBase(console.base)).filter(({ about }) => about === 'channel')

/** What doctor says of one of them. */
const findingOf = async (rookery: TestConsole, channel: string) =>
  (await findings(rookery)).find(({ text }) => text.startsWith(`${channel}: `))

const PUBLIC = {
  ROOKERY_TOKENS_URL: 'http://files.example.com',
  ROOKERY_TOKENS_DOMAIN: 'tokens.example.com',
  ROOKERY_TRUSTED_PROXIES: '127.0.0.1/32',
}

describe.each(engines)('the channels of tokens (%s)', (engine) => {
  it('of a console for this machine alone are listed, with what others would need', async () => {
    const rookery = await openTestConsole({ engine })
    const { warnings } = await create(rookery, { kind: 'dns' })
    expect(warnings).toEqual([
      'Artefacts name tokens.localhost, which this machine alone can reach: set ROOKERY_TOKENS_DOMAIN to a zone that is delegated to this console.',
    ])
    const channels = await channelsOf(rookery)
    expect([...channels.keys()]).toEqual(servedChannels)
    expect(channels.get('dns')).toMatchObject({
      listens: rookery.console.dnsAddress,
      named: 'tokens.localhost',
      kinds: expect.arrayContaining(['dns']) as string[],
      touched: null,
      reached: null,
      reached_from: '',
      missing: warnings,
    })
    expect(channels.get('http')).toMatchObject({
      named: rookery.console.tokensUrl,
      kinds: expect.arrayContaining(['http', 'fast-redirect', 'cloned-css']) as string[],
    })
    expect((await findings(rookery)).every(({ ok }) => ok)).toBe(true)
  })

  it('are missing something until another machine reaches them', async () => {
    const rookery = await openTestConsole({ engine, env: PUBLIC })
    const { decoytoken, warnings } = await create(rookery, { kind: 'http' })
    expect(warnings).toEqual([
      'No other machine has reached the http channel at http://files.example.com yet: open the URL of a token from another machine.',
    ])
    expect(await findingOf(rookery, 'dns')).toEqual({
      ok: true,
      about: 'channel',
      text: expect.stringContaining('0 enabled tokens need it') as string,
    })
    expect(await findingOf(rookery, 'http')).toEqual({
      ok: false,
      about: 'channel',
      text: expect.stringMatching(
        /^http: listens at 127\.0\.0\.1:\d+; artefacts name http:\/\/files\.example\.com; not reached from another machine; 1 enabled token needs it, of the kinds .*cloned-web.* No other machine has reached/,
      ) as string,
    })

    const http = (await channelsOf(rookery)).get('http')
    const { pathname } = new URL(decoytoken.url)
    await fetch(`http://${http?.listens}${pathname}`, { headers: { 'X-Forwarded-For': '192.0.2.7' } })
    await expect
      .poll(async () => (await channelsOf(rookery)).get('http'))
      .toMatchObject({ reached_from: '192.0.2.7', missing: [], touched: expect.any(Number) as number })
    expect(await findingOf(rookery, 'http')).toMatchObject({
      ok: true,
      text: expect.stringContaining('last reached from 192.0.2.7, ') as string,
    })
    await rookery.restart()
    expect((await create(rookery, { kind: 'http' })).warnings).toBeUndefined()
    // What makes a token fire for nothing.
    const anySite = expect.stringMatching(/^Every site that shows the CSS fires/) as string
    const warnedOf = async (site: object) => (await create(rookery, { kind: 'cloned-css', ...site })).warnings
    expect(await warnedOf({})).toContainEqual(anySite)
    expect(await warnedOf({ expected_referrer: 'example.com' })).not.toContainEqual(anySite)
    // What always keeps touches of the kind from coming in.
    const key = await create(rookery, { kind: 'cloud-a-id' })
    expect(key.warnings?.[0]).toMatch(/^The key fires with the endpoint of its file alone/)
    // Who reached it under another name says nothing of this one.
    await rookery.restart({ ROOKERY_TOKENS_URL: 'http://other.example.com' })
    expect((await create(rookery, { kind: 'http' })).warnings).toHaveLength(1)
  })
})

it.each(engines)('a channel that was used just before a stop was used (%s)', async (engine) => {
  const rookery = await openTestConsole({ engine })
  const touched = async (channel: 'http' | 'dns') => (await channelsOf(rookery)).get(channel)?.touched
  const http = await create(rookery, { kind: 'http' })
  await fetch(new URL(new URL(http.decoytoken.url).pathname, rookery.console.tokensUrl))
  await expect.poll(() => touched('http')).toEqual(expect.any(Number))
  const dns = await create(rookery, { kind: 'dns' })
  const resolver = new Resolver()
  resolver.setServers([rookery.console.dnsAddress ?? ''])
  await resolver.resolve4(dns.decoytoken.hostname)
  await rookery.restart()
  expect(await touched('dns')).toEqual(expect.any(Number))
})

describe('HTTPS', () => {
  const HTTPS = { ...PUBLIC, ROOKERY_TOKENS_TLS_URL: 'https://files.example.com' }
  const WANTED =
    'Artefacts name http://files.example.com where clients want HTTPS: set ROOKERY_TOKENS_TLS_URL to an address whose certificate they trust.'
  const UNREACHED =
    'No other machine has reached the https channel at https://files.example.com yet: open the URL of a token from another machine.'

  it('without an address is missing where a kind needs it, unless all is for this machine', async () => {
    const local = await openTestConsole()
    expect((await channelsOf(local)).get('https')).toMatchObject({
      listens: local.console.httpsAddress,
      named: local.console.tokensUrl,
      kinds: expect.arrayContaining(['cloned-css', 'npmrc', 'pwa']) as string[],
      missing: [],
    })
    const rookery = await openTestConsole({ env: PUBLIC })
    expect((await create(rookery, { kind: 'http' })).warnings).not.toContain(WANTED)
    expect((await create(rookery, { kind: 'pwa' })).warnings).toEqual([
      expect.stringContaining('reached the http channel'),
      WANTED,
    ])
    const found = await findings(rookery)
    expect(found.find(({ text }) => text.startsWith('https: '))).toMatchObject({
      ok: false,
      text: expect.stringContaining(WANTED) as string,
    })
  })

  it('with an address is what such a kind needs, and reached by HTTPS', async () => {
    const rookery = await openTestConsole({ env: HTTPS })
    expect((await create(rookery, { kind: 'http' })).warnings).toHaveLength(1)
    const { decoytoken, warnings } = await create(rookery, { kind: 'pwa' })
    expect(warnings).toEqual([UNREACHED])
    const elsewhere = await create(rookery, { kind: 'pwa', custom_domain: 'a.tokens.example.com' })
    expect(elsewhere.warnings).toEqual([
      UNREACHED,
      'The URL names a.tokens.example.com by HTTPS: one of the certificates in ROOKERY_TOKENS_TLS_CERT must be for it.',
    ])
    const agent = new Agent({ rejectUnauthorized: false })
    const touched = new URL(new URL(decoytoken.url).pathname, `https://${rookery.console.httpsAddress}`)
    get(touched, { agent, headers: { 'X-Forwarded-For': '192.0.2.7' } })
    await expect
      .poll(async () => (await channelsOf(rookery)).get('https'))
      .toMatchObject({ reached_from: '192.0.2.7', missing: [], touched: expect.any(Number) as number })
    expect((await channelsOf(rookery)).get('http')).toMatchObject({ reached: null, touched: null })
    agent.destroy()
  })

  it('of a proxy is reached by HTTP', async () => {
    const rookery = await openTestConsole({
      env: { ...PUBLIC, ROOKERY_TOKENS_URL: 'https://files.example.com' },
    })
    expect((await create(rookery, { kind: 'pwa' })).decoytoken.url).toMatch(
      /^https:\/\/files\.example\.com\//,
    )
    const http = (await channelsOf(rookery)).get('http')
    await fetch(`http://${http?.listens}/`, { headers: { 'X-Forwarded-For': '192.0.2.7' } })
    await expect.poll(async () => (await channelsOf(rookery)).get('https')?.missing).toEqual([])
  })
})

describe('a channel', () => {
  it('is not reached from outside by this machine', async () => {
    const rookery = await openTestConsole({ env: PUBLIC })
    const { decoytoken } = await create(rookery, { kind: 'dns' })
    const resolver = new Resolver()
    resolver.setServers([rookery.console.dnsAddress ?? ''])
    await resolver.resolve4(decoytoken.hostname)
    await expect.poll(async () => (await channelsOf(rookery)).get('dns')?.touched).not.toBeNull()
    expect((await channelsOf(rookery)).get('dns')).toMatchObject({ reached: null, reached_from: '' })
  })

  it('that is closed is a warning and wrong where a token needs it: its default address is taken', async () => {
    await occupy(OPTIONS.ROOKERY_DNS_LISTEN.default)
    const rookery = await openTestConsole({
      env: { ...PUBLIC, ROOKERY_DNS_LISTEN: OPTIONS.ROOKERY_DNS_LISTEN.default },
    })
    expect((await create(rookery, { kind: 'dns' })).warnings).toEqual([
      'The dns channel is closed, since its address is taken: set ROOKERY_DNS_LISTEN to a free address.',
    ])
    expect(await findingOf(rookery, 'dns')).toMatchObject({ ok: false })
    expect((await create(rookery, { kind: 'http' })).warnings).toHaveLength(1)
  })

  it('does not serve a domain that is not of its zone', async () => {
    const rookery = await openTestConsole({ env: PUBLIC })
    const warningsFor = async (custom_domain: string) =>
      (await create(rookery, { kind: 'http', custom_domain })).warnings?.filter((it) => it.includes('serves'))
    expect(await warningsFor('files.example.org')).toEqual([
      'The DNS server of this console serves tokens.example.com alone: names in files.example.org resolve, and look-ups of them fire, only as your own zone says.',
    ])
    // Server tests look a name of it up.
    expect(await warningsFor('a.tokens.example.com')).toEqual([])
  })

  it('warns in the CSV of many tokens as in the answer of one', async () => {
    const env = { ...PUBLIC, ROOKERY_TOKENS_TLS_URL: 'https://files.example.com' }
    const rookery = await openTestConsole({ env })
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.example.org`
    const rows = ['', 'files.example.org', 'a.tokens.example.com', long].flatMap((custom_domain) =>
      ['http', 'pwa', 'os-dir'].map((kind) => ({ kind, ...(custom_domain !== '' && { custom_domain }) })),
    )
    const csv = ['kind,memo,custom_domain', ...rows.map((row) => `${row.kind},m,${row.custom_domain ?? ''}`)]
    const { file } = await rookery.api.tokens.createMany({ csv: csv.join('\n') })
    const [header, ...records] = [...readCsv(new TextDecoder().decode(file?.bytes))]
    const column = header?.cells.indexOf('warnings') ?? -1
    const apart = []
    for (const row of rows) apart.push(((await create(rookery, row)).warnings ?? []).join(' '))
    expect(records.map(({ cells }) => cells[column])).toEqual(apart)
    expect(apart[3]).toContain('serves tokens.example.com alone')
  })

  it('may not find tokens in a domain far below its zone', async () => {
    const rookery = await openTestConsole({ env: PUBLIC })
    const warningsFor = async (custom_domain: string) =>
      (await create(rookery, { kind: 'dns', custom_domain })).warnings?.filter((it) => it.includes('silent'))
    const warning = (domain: string) =>
      `Look-ups of names in ${domain} may stay silent: use tokens.example.com, or at most 4 labels in front of it, none of them nx or of 25 letters and digits.`
    for (const domain of [
      'a.b.c.d.e.tokens.example.com',
      'nx.tokens.example.com',
      `${'a'.repeat(25)}.tokens.example.com`,
    ])
      expect(await warningsFor(domain)).toEqual([warning(domain)])
    expect(await warningsFor('a.b.c.d.tokens.example.com')).toEqual([])
  })

  it('has no room for long names below a long domain', async () => {
    const rookery = await openTestConsole({ env: PUBLIC })
    const warningsFor = async (kind: string, custom_domain: string) =>
      (await create(rookery, { kind, custom_domain })).warnings?.filter((it) =>
        it.includes('longer than DNS'),
      )
    const long = `${`${'a'.repeat(60)}.`.repeat(3)}example`
    expect(await warningsFor('os-dir', long)).toEqual([
      `Under ${long}, long names of users and computers make names that are longer than DNS allows, so their look-ups stay silent: use a domain of at most 170 characters.`,
    ])
    expect(await warningsFor('http', long)).toEqual([])
    expect(await warningsFor('os-dir', long.slice(-170))).toEqual([])
  })
})

describe.each([
  ['mysql', 'ROOKERY_TOKENS_MYSQL_LISTEN', 'ROOKERY_TOKENS_MYSQL_AT'],
  ['postgres', 'ROOKERY_TOKENS_POSTGRES_LISTEN', 'ROOKERY_TOKENS_POSTGRES_AT'],
] as const)('the channel %s', (channel, LISTEN, AT) => {
  it('names the host name of each token at its own port, or what the operator says', async () => {
    const rookery = await openTestConsole({ env: PUBLIC })
    const own = (await channelsOf(rookery)).get(channel)
    expect(own?.named).toBe(`tokens.example.com:${hostPort(own?.listens ?? '').port}`)
    expect(own?.missing).toEqual([
      expect.stringContaining(`No other machine has reached the ${channel} channel`),
    ])
    for (const [at, named] of [
      [':5000', 'tokens.example.com:5000'],
      ['db.example.org:5000', 'db.example.org:5000'],
    ] as const) {
      await rookery.restart({ [AT]: at })
      expect((await channelsOf(rookery)).get(channel)?.named).toBe(named)
    }
  })

  it('stays closed where its default address is taken; one that was asked for stops the start', async () => {
    await occupy(OPTIONS[LISTEN].default)
    const rookery = await openTestConsole({ env: { ...PUBLIC, [LISTEN]: OPTIONS[LISTEN].default } })
    expect((await channelsOf(rookery)).get(channel)).toMatchObject({
      listens: '',
      named: `tokens.example.com:${hostPort(OPTIONS[LISTEN].default).port}`,
      missing: [
        `The ${channel} channel is closed, since it is off or its address is taken: set ${LISTEN} to a free address.`,
      ],
    })
    const taken = (await channelsOf(rookery)).get('http')?.listens ?? ''
    await expect(openTestConsole({ env: { [LISTEN]: taken } })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('that is switched off is missing where a token needs it', async () => {
    const rookery = await openTestConsole({ env: { ...PUBLIC, [LISTEN]: 'off' } })
    expect((await channelsOf(rookery)).get(channel)).toMatchObject({
      listens: '',
      named: '',
      missing: [
        `The ${channel} channel is closed, since it is off or its address is taken: set ${LISTEN} to a free address.`,
      ],
    })
    expect(await findingOf(rookery, channel)).toMatchObject({ ok: true })
  })
})

describe('an option of a channel', () => {
  it('that is none is refused', () => {
    for (const at of ['3306', 'db:0', 'db:65536', "d'b:1", '[::1:1'])
      expect(() => readConfig({ ROOKERY_TOKENS_MYSQL_AT: at }), at).toThrow('must be host:port, or :port')
    for (const at of [':3306', 'db.example.com:1', '10.0.0.1:65535', '[2001:db8::1]:3306'])
      expect(readConfig({ ROOKERY_TOKENS_MYSQL_AT: at }).ROOKERY_TOKENS_MYSQL_AT).toBe(at)
    expect(() => readConfig({ ROOKERY_TOKENS_POSTGRES_LISTEN: 'on' })).toThrow('or off')
  })
})
