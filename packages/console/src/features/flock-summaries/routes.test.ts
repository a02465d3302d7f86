import { describe, expect, it } from 'vitest'
import { pendingBird, registeredBird } from '../../../test/birds.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { sshLogin, subject } from '../../../test/touches.ts'

async function makeFlock(rookery: TestConsole, name: string): Promise<string> {
  return String((await rookery.api.flocks.create({ name })).flock_id)
}

describe.each(engines)('summaries of Flocks (%s)', (engine) => {
  it('count Birds as they are, tokens, and incidents that nobody has acknowledged', async () => {
    const rookery = await openTestConsole({ engine })
    const berlin = await makeFlock(rookery, 'Berlin')
    const now = Date.now()
    const here = { flock_id: berlin }
    await registeredBird(rookery, { ...here, live: 1, last_seen_at: now })
    await registeredBird(rookery, { ...here, live: 1, last_seen_at: now })
    await registeredBird(rookery, { ...here, live: 0, registered_at: now - 9_000, last_seen_at: now })
    // Never seen since: neither alive nor dead.
    await registeredBird(rookery, { ...here, live: 0, registered_at: now, last_seen_at: now - 9_000 })
    await pendingBird(rookery)
    await rookery.api.registration.decommission({
      node_id: await registeredBird(rookery, here),
      skip_poweroff: true,
    })
    const { factory_auth } = await rookery.api.tokenFactory.createFactory({ ...here, memo: 'm' })
    for (const memo of ['a', 'b']) await rookery.api.tokenFactory.create({ factory_auth, memo, kind: 'http' })
    for (const srcHost of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      await rookery.console.ingest.fromConsole({
        ...sshLogin({ srcHost }),
        subject: { ...subject, flockId: berlin },
      })
    }
    await rookery.api.incidentActions.acknowledgeMany({ src_host: '192.0.2.2' })

    const expected = { name: 'Berlin', birds: 4, live: 2, dead: 1, tokens: 2, incidents_unacknowledged: 2 }
    expect((await rookery.api.flockSummaries.one(here)).flock_summary).toEqual(expected)
    const asked = { ...here, open_by_level: true }
    expect((await rookery.api.flockSummaries.one(asked)).flock_summary).toEqual({
      ...expected,
      open_by_level: { used: 0, tried: 2, looked: 0, house: 0 },
    })
    const { flocks_summary: byLevel } = await rookery.api.flockSummaries.all({ open_by_level: true })
    expect(byLevel[berlin]?.open_by_level?.tried).toBe(2)
    expect(byLevel['flock:default']?.open_by_level).toEqual({ used: 0, tried: 0, looked: 0, house: 0 })
    const none = { birds: 0, live: 0, dead: 0, tokens: 0, incidents_unacknowledged: 0 }
    expect((await rookery.api.flockSummaries.all()).flocks_summary).toEqual({
      'flock:default': expect.objectContaining(none) as object,
      [berlin]: expected,
    })
    expect((await rookery.get('/flock/summary', { flock_id: 'flock:none' })).status).toBe(404)
  })

  it('Flocks are found by a part of name, id or note, in any case', async () => {
    const rookery = await openTestConsole({ engine })
    const berlin = await makeFlock(rookery, 'Berlin %')
    await rookery.api.flockNotes.add({ flock_id: berlin, note: 'Third floor' })
    const found = async (filter_str: string): Promise<string[]> =>
      (await rookery.api.flockSummaries.filter({ filter_str })).flocks.map(({ flock_id }) => flock_id)
    for (const text of ['berl', 'THIRD', '%', berlin.slice(6, 20)])
      expect(await found(text)).toEqual([berlin])
    expect(await found('flock:')).toHaveLength(2)
    expect(await found('_')).toEqual([])
    expect((await rookery.api.flockSummaries.filter()).flocks).toContainEqual({
      flock_id: berlin,
      name: 'Berlin %',
      note: 'Third floor',
    })
  })
})
