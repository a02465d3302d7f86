import { describe, expect, it } from 'vitest'
import { registeredBird } from '../../../test/birds.ts'
import { flockKey } from '../../../test/read-only-key.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { sshLogin } from '../../../test/touches.ts'

const now = Date.now()
const live = { live: 1, last_seen_at: now } as const

describe.each(engines)('rows of Birds (%s)', (engine) => {
  it('say of each Bird where it is, how it is, and what is open at it', async () => {
    const rookery = await openTestConsole({ engine })
    const { flock_id } = await rookery.api.flocks.create({ name: 'Berlin' })
    const node_id = await registeredBird(rookery, { ...live, flock_id, name: 'nas-02', service_count: 3 })
    await registeredBird(rookery, live)
    for (const srcHost of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost, nodeId: node_id }))
    await rookery.api.incidentActions.acknowledgeMany({ src_host: '192.0.2.2' })
    const { rows, total } = await rookery.api.birdQueries.rows({ flock_id })
    expect(total).toBe(1)
    expect(rows).toMatchObject([
      {
        node_id,
        name: 'nas-02',
        flock_id,
        flock_name: 'Berlin',
        state: 'live',
        services: 3,
        settings_failure: '',
        is_muted: false,
        open: { used: 0, tried: 2, looked: 0, house: 0 },
        last_heartbeat: Math.floor(now / 1000),
      },
    ])
  })

  it('are filtered by state, Flock and text, each with its exact total', async () => {
    const rookery = await openTestConsole({ engine })
    const up = await registeredBird(rookery, { ...live, name: 'Äpfel 100%', location: 'Berlin' })
    const down = await registeredBird(rookery, { live: 0, registered_at: now - 1_000, last_seen_at: now })
    const ghost = await registeredBird(rookery, { live: 0, registered_at: now, last_seen_at: now - 1_000 })
    const failed = await registeredBird(rookery, { ...live, settings_failure: 'x'.repeat(500) })
    const deaf = await registeredBird(rookery, {
      ...live,
      not_standing: '{"ssh":"port 22 is in use"}',
      not_standing_count: 1,
    })
    const found = async (params: Parameters<typeof rookery.api.birdQueries.rows>[0]): Promise<string[]> => {
      const { rows, total } = await rookery.api.birdQueries.rows(params)
      expect(total).toBe(rows.length)
      return rows.map(({ node_id }) => node_id).sort()
    }
    expect(await found({ state: 'live' })).toEqual([up, failed, deaf].sort())
    expect(await found({ state: 'offline' })).toEqual([down])
    expect(await found({ state: 'never_seen' })).toEqual([ghost])
    expect(await found({ state: 'settings_failed' })).toEqual([failed, deaf].sort())
    expect(await found({ filter_str: 'bERLIN' })).toEqual([up])
    expect(await found({ filter_str: '100%', state: 'live' })).toEqual([up])
    expect(await found({ filter_str: '_' })).toEqual([])
    expect(await found({ filter_str: ghost.toUpperCase(), state: 'never_seen' })).toEqual([ghost])
    expect((await rookery.get('/devices/rows', { state: 'dead' })).status).toBe(400)
    expect((await rookery.get('/devices/rows', { flock_id: 'flock:none' })).status).toBe(404)
  })

  it('come in pages that neither repeat nor skip a Bird, and stay below 1.5 KB each', async () => {
    const rookery = await openTestConsole({ engine })
    const name = '鳥'.repeat(255)
    for (let nth = 0; nth < 7; nth++)
      await registeredBird(rookery, {
        first_seen_at: now - 1_000 + Math.floor(nth / 2),
        name,
        settings_failure: name,
      })
    const whole = (await rookery.api.birdQueries.rows({})).rows
    for (const row of whole) expect(Buffer.byteLength(JSON.stringify(row))).toBeLessThanOrEqual(1_536)
    for (const limit of [1, 2, 7]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page = await rookery.get('/devices/rows', cursor === null ? { limit } : { cursor })
        const {
          rows,
          total,
          cursor: links,
        } = page.json as unknown as Awaited<ReturnType<typeof rookery.api.birdQueries.rows>>
        expect([total, rows.length <= limit]).toEqual([7, true])
        seen.push(...rows.map(({ node_id }) => node_id))
        cursor = links.next
      } while (cursor !== null)
      expect(seen).toEqual(whole.map(({ node_id }) => node_id))
    }
  })

  it('show a key of one Flock the Birds of that Flock alone', async () => {
    const rookery = await openTestConsole({ engine })
    const { flock_id } = await rookery.api.flocks.create({ name: 'Berlin' })
    const mine = await registeredBird(rookery, { flock_id })
    await registeredBird(rookery)
    const { key } = await flockKey(rookery, flock_id)
    const { rows, total } = await rookery.apiAs(key).birdQueries.rows({})
    expect([rows.map(({ node_id }) => node_id), total]).toEqual([[mine], 1])
  })
})
