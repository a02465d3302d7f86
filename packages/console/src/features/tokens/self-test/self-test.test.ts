import { Resolver as DnsResolver } from 'node:dns/promises'
import type { Resolver } from '@rookery/kernel/world.ts'
import { describe, expect, it } from 'vitest'
import { parseRanges } from '../../../addresses/ranges.ts'
import { openSelfDial } from '../../../world/self-dial.ts'
import { addReceiver, loopbackOutbound } from '../../../../test/raise-incident.ts'
import { openReceiver } from '../../../../test/receiver.ts'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'

const ZONE = 'tokens.example.org'
const nothingPrivate = parseRanges('', 'allow')

/** A console whose zone is delegated to it: the resolver of the machine asks it for names of the zone. */
async function openDelegated(
  engine: (typeof engines)[number],
  env: Readonly<Record<string, string>> = {},
): Promise<TestConsole> {
  const dns = new DnsResolver()
  const addresses = (name: string): Promise<string[]> =>
    name.endsWith(ZONE) ? dns.resolve4(name).catch(() => []) : Promise.resolve([])
  const resolver: Resolver = { addresses, records: addresses, reverse: () => Promise.resolve([]) }
  const rookery = await openTestConsole({
    engine,
    env: { ROOKERY_TOKENS_DOMAIN: ZONE, ROOKERY_DNS_ADDRESSES: '127.0.0.1', ...env },
    world: { resolver, outbound: loopbackOutbound(), selfDial: openSelfDial(nothingPrivate, resolver) },
  })
  dns.setServers([rookery.console.dnsAddress ?? ''])
  return rookery
}

async function create({ api }: TestConsole, params = {}): Promise<string> {
  const { decoytoken } = await api.tokens.create({ kind: 'http', memo: 'Wiki', ...params })
  return decoytoken.decoytoken
}

/** `channel step passed`, and the texts of what failed. */
async function test({ api }: TestConsole, decoytoken: string, params = {}) {
  const { passed, incident, steps } = await api.tokens.selfTest({ decoytoken, ...params })
  return {
    passed,
    incident,
    steps: steps.map((it) => `${it.channel} ${it.step} ${it.passed}`),
    failed: steps.filter((it) => !it.passed).map(({ text }) => text),
  }
}

const whole = (...channels: string[]): string[] =>
  channels.flatMap((channel) => ['listener', 'touch', 'record'].map((step) => `${channel} ${step} true`))

describe.each(engines)('the self-test of a token (%s)', (engine) => {
  it('touches it by each of its channels, and raises nothing', async () => {
    const rookery = await openDelegated(engine)
    const channelsOf = {
      http: ['http'],
      dns: ['dns'],
      sql: ['postgres'],
      dbdump: ['mysql'],
      vpn: ['wireguard'],
    }
    // Quiet touches are stored once a second: one wait for all.
    const tested = Object.entries(channelsOf).map(async ([kind, channels]) => {
      const decoytoken = await create(rookery, { kind })
      const steps = expect.arrayContaining(whole(...channels)) as string[]
      expect(await test(rookery, decoytoken)).toEqual({ passed: true, incident: null, steps, failed: [] })
      const { history } = await rookery.api.tokens.history({ decoytoken })
      expect(history.map(({ event }) => event['decoytoken'])).toEqual(history.map(() => decoytoken))
      for (const { reason } of history) expect(reason).toMatch(/^self-test by key [0-9a-f]{8}$/)
      expect((await rookery.api.tokens.fetch({ decoytoken })).token.triggered_count).toBe(0)
    })
    await Promise.all(tested)
    expect((await rookery.api.incidentQueries.all()).incidents).toEqual([])
  })

  it('raises one incident and its alerts if it is asked to, which say that it is a test', async () => {
    const rookery = await openDelegated(engine)
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    const decoytoken = await create(rookery, { kind: 'sql', first_only: true, quiet_sources: '127.0.0.1' })
    const { passed, incident } = await test(rookery, decoytoken, { alert: true })
    expect(passed).toBe(true)
    const { incidents } = await rookery.api.incidentQueries.all()
    expect(incidents.map(({ id, description }) => [id, description.memo])).toEqual([
      [incident, 'Self-test: Wiki'],
    ])
    const [alert] = await receiver.tries(1)
    expect(alert?.json).toMatchObject({ Reminder: 'Self-test: Wiki', IncidentKey: incident })
    expect((await rookery.api.tokens.fetch({ decoytoken })).token.triggered_count).toBe(0)
  })

  it('leaves real touches alone, and its id raises nothing once the token is deleted', async () => {
    const rookery = await openDelegated(engine)
    const { decoytoken } = await rookery.api.tokens.create({ kind: 'http', memo: 'Wiki' })
    const { steps } = await rookery.api.tokens.selfTest({ decoytoken: decoytoken.decoytoken })
    const url =
      /http:\S+/.exec(
        steps
          .map(({ text }) => text)
          .filter((text) => text.startsWith('GET'))
          .join(),
      )?.[0] ?? ''
    expect(url).not.toBe(decoytoken.url)
    await fetch(url)
    expect((await rookery.api.incidentQueries.all()).incidents).toEqual([])
    await fetch(decoytoken.url)
    expect((await rookery.api.incidentQueries.all()).incidents).toHaveLength(1)
    await rookery.api.tokens.remove({ decoytoken: decoytoken.decoytoken })
    await fetch(url)
    expect((await rookery.api.incidentQueries.all()).incidents).toHaveLength(1)
  })

  it('names what is missing: a channel that is off, a zone that is not delegated, an address that is not ours', async () => {
    const rookery = await openDelegated(engine, { ROOKERY_TOKENS_POSTGRES_LISTEN: 'off' })
    const off = await test(rookery, await create(rookery, { kind: 'sql' }))
    expect(off.passed).toBe(false)
    expect(off.failed).toContain('The postgres channel is closed: decoytokens/channels says what opens it.')
    const elsewhere = await create(rookery, { kind: 'dns', custom_domain: 'files.example.net' })
    const foreign = await test(rookery, elsewhere)
    expect(foreign.failed).toEqual([
      expect.stringMatching(/^The resolver of this machine has no address for \w{25}/),
    ])
    const inside = await create(rookery, { kind: 'http', custom_domain: 'inside.test' })
    const refused = await test(rookery, inside)
    expect(refused.failed).toEqual(['inside.test has no address.'])
  })
})
