import { describe, expect, it } from 'vitest'
import { creatorOf } from '../../../../test/provider-tokens.ts'
import { engines, openTestConsole } from '../../../../test/test-console.ts'
import { testProvider } from '../../../../test/test-provider.ts'

describe.each(engines)('an event that a provider reports (%s)', (engine) => {
  it('is quiet from a quiet source of its token, and joins the first incident where that takes all', async () => {
    const rookery = await openTestConsole({ engine })
    const { row } = await creatorOf(rookery, testProvider())()
    const decoytoken = row.token_id
    await rookery.api.tokens.update({ decoytoken, quiet_sources: '192.0.2.9', first_only: true })
    const receivedAt = Date.now()
    const used = (srcHost: string) => ({
      id: srcHost,
      remoteId: `remote-${decoytoken}`,
      at: receivedAt,
      srcHost,
      eventName: 'used',
      fields: {},
    })
    const events = ['192.0.2.9', '192.0.2.1', '192.0.2.2'].map(used)
    await rookery.console.ingest.fromProvider({ provider: 'test', events, receivedAt, feed: {} })
    const { incidents } = await rookery.api.incidentQueries.all()
    expect(incidents.map(({ description }) => [description.src_host, description.events_count])).toEqual([
      ['192.0.2.1', '2'],
    ])
    const reasons = async () =>
      (await rookery.api.tokens.history({ decoytoken })).history.map(({ reason }) => reason).sort()
    await expect.poll(reasons).toEqual(['', '', 'quiet_sources has 192.0.2.9'])
  })

  it('counts at a whole time of ours, whatever the provider gives; one without a name of its own is left out', async () => {
    const rookery = await openTestConsole({ engine })
    const { row } = await creatorOf(rookery, testProvider())()
    const receivedAt = Date.now()
    const remoteId = `remote-${row.token_id}`
    const times = [receivedAt - 1.25, -5, NaN, Infinity, 1e300]
    const events = times.map((at, n) => ({
      id: `evt_${n}`,
      remoteId,
      at,
      srcHost: '192.0.2.1',
      eventName: 'used',
      fields: {},
    }))
    for (const odd of ['', 'a\0', `${remoteId}\0`])
      events.push({ id: odd, remoteId: odd, at: 1, srcHost: '', eventName: '', fields: {} })
    const batch = { provider: 'test', receivedAt, feed: { position: 'behind' } }
    for (const event of events) await rookery.console.ingest.fromProvider({ ...batch, events: [event] })
    const { history } = await rookery.api.tokens.history({ decoytoken: row.token_id })
    expect(history.map(({ event }) => event['sanitized'])).toEqual(times.map(() => undefined))
    const { reader } = rookery.console.base
    const resource = await reader.selectFrom('provider_resource').select('used_at').executeTakeFirst()
    expect(resource?.used_at).toBe(receivedAt)
    const feed = await reader.selectFrom('provider_feed').select('position').executeTakeFirst()
    expect(feed?.position).toBe('behind')
  })
})
