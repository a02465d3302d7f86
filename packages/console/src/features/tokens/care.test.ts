import { describe, expect, it } from 'vitest'
import type { HttpVisit } from '@rookery/tokens/channels/http/visit.ts'
import { engines, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'

const DAY_MS = 86_400_000

const visitFrom = (srcHost: string): HttpVisit => ({
  channel: 'http',
  srcHost,
  dstPort: 80,
  headers: { 'User-Agent': 'curl/8' },
  method: 'GET',
  path: '/',
})

const touch = ({ console }: TestConsole, tokenId: string, srcHost: string, receivedAt = Date.now()) =>
  console.ingest.fromToken({ tokenId, visit: visitFrom(srcHost), srcPort: 1, dstHost: 'x', receivedAt })

async function create({ api }: TestConsole, params = {}): Promise<string> {
  const { decoytoken } = await api.tokens.create({ kind: 'http', memo: 'Wiki', ...params })
  return decoytoken.decoytoken
}

const incidentsOf = async ({ api }: TestConsole) =>
  (await api.incidentQueries.all()).incidents.map(({ id, description }) => ({
    id,
    source: description.src_host,
    events: description.events_count,
  }))

const historyOf = async ({ api }: TestConsole, decoytoken: string) =>
  (await api.tokens.history({ decoytoken })).history

const triggered = async ({ api }: TestConsole, decoytoken: string): Promise<number> =>
  (await api.tokens.fetch({ decoytoken })).token.triggered_count

describe.each(engines)('the quiet sources of a token (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('raise nothing, and the history names the entry; every other source raises', async () => {
    const quiet_sources = '192.0.2.0/24 # backup, 2001:db8::7'
    const decoytoken = await create(rookery, { quiet_sources: '192.0.2.0/24,2001:db8::7 # backup' })
    const { token } = await rookery.api.tokens.fetch({ decoytoken })
    expect(token.quiet_sources).toBe('192.0.2.0/24,2001:db8::7 # backup')
    await touch(rookery, decoytoken, '192.0.2.9')
    await touch(rookery, decoytoken, '2001:db8::7')
    await touch(rookery, decoytoken, '198.51.100.1')
    expect((await incidentsOf(rookery)).map(({ source }) => source)).toEqual(['198.51.100.1'])
    const reasons = async () => (await historyOf(rookery, decoytoken)).map(({ reason }) => reason).sort()
    await expect
      .poll(reasons)
      .toEqual(['', 'quiet_sources has 192.0.2.0/24', 'quiet_sources has 2001:db8::7 # backup'])
    expect(await triggered(rookery, decoytoken)).toBe(1)
    // What was noted in a comment is no entry.
    await rookery.api.tokens.update({ decoytoken, quiet_sources })
    await touch(rookery, decoytoken, '2001:db8::7')
    expect(await incidentsOf(rookery)).toHaveLength(2)
  })

  it('can be changed and cleared, and count for the next touch', async () => {
    const decoytoken = await create(rookery, { quiet_sources: '192.0.2.9' })
    await touch(rookery, decoytoken, '192.0.2.9')
    await rookery.api.tokens.update({ decoytoken, clear_quiet_sources: true })
    await touch(rookery, decoytoken, '192.0.2.9')
    expect((await incidentsOf(rookery)).map(({ source }) => source)).toEqual(['192.0.2.9'])
  })

  it('are refused where an entry is no address, or silences half the Internet', async () => {
    const wrong: readonly (readonly [entries: string, reason: RegExp])[] = [
      ['localhost', /an IP address or a CIDR range on each line, not "localhost"/],
      ['192.0.2.7:80', /an IP address or a CIDR range/],
      ['10.0.0.0/7', /no range wider than .8 \(IPv6: .16\) unless force is true/],
      [Array.from({ length: 101 }, (_, n) => `10.0.0.${n}`).join(), /at most 100 entries, not 101/],
    ]
    for (const [quiet_sources, reason] of wrong) {
      const refused = await rookery.post('/decoytoken/create', { kind: 'http', memo: 'm', quiet_sources })
      expect([refused.status, refused.json['details']]).toEqual([
        400,
        { quiet_sources: expect.stringMatching(reason) as string },
      ])
    }
  })

  it('may be wide with force', async () => {
    const decoytoken = await create(rookery, { quiet_sources: '8.0.0.0/7', force: true })
    await touch(rookery, decoytoken, '9.9.9.9')
    expect(await incidentsOf(rookery)).toEqual([])
  })
})

describe.each(engines)('a token that raises its first incident only (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('takes further touches from anywhere into that incident, and counts them', async () => {
    const decoytoken = await create(rookery, { first_only: true })
    const now = Date.now()
    await Promise.all(
      ['192.0.2.1', '192.0.2.2', '192.0.2.1', '2001:db8::1'].map((source, n) =>
        touch(rookery, decoytoken, source, now + n * 20_000),
      ),
    )
    await touch(rookery, decoytoken, '192.0.2.3', now + 3 * DAY_MS)
    const [incident, ...others] = await incidentsOf(rookery)
    expect(others).toEqual([])
    expect(incident).toMatchObject({ source: '192.0.2.1', events: '5' })
    expect(await triggered(rookery, decoytoken)).toBe(5)
    const sources = (await historyOf(rookery, decoytoken)).map(({ event }) => event['src_host'])
    expect(sources).toEqual(['192.0.2.3', '2001:db8::1', '192.0.2.1', '192.0.2.2', '192.0.2.1'])
    const { incidents } = await rookery.api.incidentQueries.search({ filter_str: '192.0.2.3' })
    expect(incidents).toHaveLength(1)
  })

  it('raises nothing after that was acknowledged, and raises again once it was deleted', async () => {
    const decoytoken = await create(rookery, { first_only: true })
    await touch(rookery, decoytoken, '192.0.2.1')
    const [first] = await incidentsOf(rookery)
    await rookery.api.incidentActions.acknowledge({ incident: first?.id ?? '' })
    await touch(rookery, decoytoken, '192.0.2.2')
    expect(await incidentsOf(rookery)).toEqual([{ ...first, events: '2' }])
    await rookery.api.incidentActions.remove({ incident: first?.id ?? '' })
    await touch(rookery, decoytoken, '192.0.2.3')
    expect((await incidentsOf(rookery)).map(({ source }) => source)).toEqual(['192.0.2.3'])
  })

  it('raises again after it is switched on again, and each source after it is switched off', async () => {
    const decoytoken = await create(rookery, { first_only: true })
    const now = Date.now()
    await touch(rookery, decoytoken, '192.0.2.1', now)
    await rookery.api.tokens.update({ decoytoken, first_only: true })
    await touch(rookery, decoytoken, '192.0.2.2', now)
    await touch(rookery, decoytoken, '192.0.2.3', now)
    expect(await incidentsOf(rookery)).toHaveLength(2)
    await rookery.api.tokens.update({ decoytoken, first_only: false })
    await touch(rookery, decoytoken, '192.0.2.4', now)
    await touch(rookery, decoytoken, '192.0.2.5', now)
    expect(await incidentsOf(rookery)).toHaveLength(4)
  })
})
