import { describe, expect, it } from 'vitest'
import { creatorOf } from '../../../test/provider-tokens.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { testProvider } from '../../../test/test-provider.ts'

describe.each(engines)('an event that a provider reports (%s)', (engine) => {
  it('is quiet from a quiet source of its token, and joins the first incident where that takes all', async () => {
    const rookery = await openTestConsole({ engine })
    const { row } = await creatorOf(rookery, testProvider())()
    const decoytoken = row.token_id
    await rookery.api.tokens.update({ decoytoken, quiet_sources: '192.0.2.9', first_only: true })
    const receivedAt = Date.now()
    const used = (srcHost: string) => ({
      ...{ id: srcHost, remoteId: `remote-${decoytoken}`, at: receivedAt, srcHost },
      ...{ eventName: 'used', fields: {} },
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
})
