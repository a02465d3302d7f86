import { describe, expect, it } from 'vitest'
import { addBird } from '../../../test/birds.ts'
import { engines, ownTestConsole } from '../../../test/test-console.ts'

const flock_id = 'flock:default'

describe.each(engines)('the limit of a Flock (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('is off at first, and set and switched apart', async () => {
    expect(await rookery.api.flockLimits.read({ flock_id })).toMatchObject({
      limit: 0,
      is_enabled: false,
    })
    expect(await rookery.api.flockLimits.set({ flock_id, limit: 7 })).toMatchObject({
      limit: 7,
      is_enabled: false,
    })
    expect(await rookery.api.flockLimits.enable({ flock_id })).toMatchObject({
      limit: 7,
      is_enabled: true,
    })
    expect(await rookery.api.flockLimits.read({ flock_id })).toMatchObject({
      limit: 7,
      is_enabled: true,
    })
    expect(await rookery.api.flockLimits.disable({ flock_id })).toMatchObject({
      limit: 7,
      is_enabled: false,
    })
  })

  it('is a whole number of at least 0, of a Flock that there is', async () => {
    for (const limit of ['-1', '1.5', 'many']) {
      const refused = await rookery.post('/flock/limit/set', { flock_id, limit })
      expect([refused.status, refused.json['details']]).toEqual([
        400,
        { limit: `must be a whole number of at least 0, not "${limit}"` },
      ])
    }
    for (const verb of ['enable', 'disable']) {
      const missing = await rookery.post(`/flock/limit/${verb}`, { flock_id: 'flock:none' })
      expect([missing.status, missing.json['message']]).toEqual([404, 'Flock does not exist.'])
    }
  })

  it('lets those in who wait as soon as it is raised or switched off, first come first served', async () => {
    await rookery.api.flockLimits.enable({ flock_id })
    const waiting = []
    for (let n = 1; n <= 3; n++) waiting.push(await addBird(rookery, { state: 'queued', queued_at: n }))
    const members = async () => new Set((await rookery.api.flocks.members({ flock_id })).sensors)
    expect(await members()).toEqual(new Set())
    await rookery.api.flockLimits.set({ flock_id, limit: 2 })
    expect(await members()).toEqual(new Set(waiting.slice(0, 2)))
    await rookery.api.flockLimits.disable({ flock_id })
    expect(await members()).toEqual(new Set(waiting))
  })
})
