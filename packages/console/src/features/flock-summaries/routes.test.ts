import { describe, expect, it } from 'vitest'
import { pendingBird, registeredBird } from '../../../test/birds.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { sshLogin, subject } from '../../../test/touches.ts'

async function makeFlock(house: TestConsole, name: string): Promise<string> {
  return String((await house.post('/flock/create', { name })).json['flock_id'])
}

describe.each(engines)('summaries of Flocks (%s)', (engine) => {
  it('count Birds as they are, tokens, and incidents that nobody has acknowledged', async () => {
    const house = await openTestConsole({ engine })
    const berlin = await makeFlock(house, 'Berlin')
    const now = Date.now()
    const here = { flock_id: berlin }
    await registeredBird(house, { ...here, live: 1, last_seen_at: now })
    await registeredBird(house, { ...here, live: 1, last_seen_at: now })
    await registeredBird(house, { ...here, live: 0, registered_at: now - 9_000, last_seen_at: now })
    // Never seen since: neither alive nor dead.
    await registeredBird(house, { ...here, live: 0, registered_at: now, last_seen_at: now - 9_000 })
    await pendingBird(house)
    await house.post('/device/decommission', {
      node_id: await registeredBird(house, here),
      skip_poweroff: true,
    })
    const { factory_auth } = (await house.post('/decoytoken/create_factory', { ...here, memo: 'm' }))
      .json as unknown as { factory_auth: string }
    for (const memo of ['a', 'b'])
      await house.post('/decoytoken/factory/create', { factory_auth, memo, kind: 'http' })
    for (const srcHost of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      await house.console.ingest.fromConsole({
        ...sshLogin({ srcHost }),
        subject: { ...subject, flockId: berlin },
      })
    }
    await house.post('/incidents/acknowledge', { src_host: '192.0.2.2' })

    const expected = { name: 'Berlin', birds: 4, live: 2, dead: 1, tokens: 2, incidents_unacknowledged: 2 }
    expect((await house.get('/flock/summary', here)).json['flock_summary']).toEqual(expected)
    const none = { birds: 0, live: 0, dead: 0, tokens: 0, incidents_unacknowledged: 0 }
    expect((await house.get('/flocks/summary')).json['flocks_summary']).toEqual({
      'flock:default': expect.objectContaining(none) as object,
      [berlin]: expected,
    })
    expect((await house.get('/flock/summary', { flock_id: 'flock:none' })).status).toBe(404)
  })

  it('Flocks are found by a part of name, id or note, in any case', async () => {
    const house = await openTestConsole({ engine })
    const berlin = await makeFlock(house, 'Berlin %')
    await house.post('/flock/note/add', { flock_id: berlin, note: 'Third floor' })
    const found = async (filter_str: string): Promise<string[]> =>
      (
        (await house.get('/flocks/filter', { filter_str })).json['flocks'] as unknown as {
          flock_id: string
        }[]
      ).map(({ flock_id }) => flock_id)
    for (const text of ['berl', 'THIRD', '%', berlin.slice(6, 20)])
      expect(await found(text)).toEqual([berlin])
    expect(await found('flock:')).toHaveLength(2)
    expect(await found('_')).toEqual([])
    expect((await house.get('/flocks/filter')).json['flocks']).toContainEqual({
      flock_id: berlin,
      name: 'Berlin %',
      note: 'Third floor',
    })
  })
})
