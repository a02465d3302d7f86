import { describe, expect, it } from 'vitest'
import { addBird } from '../../../test/birds.ts'
import { engines, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'

const make = async (rookery: TestConsole, name: string): Promise<string> =>
  (await rookery.api.flocks.create({ name })).flock_id

describe.each(engines)('Flocks (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('are made, renamed, listed and deleted', async () => {
    const flock_id = await make(rookery, '  Berlin ')
    expect(flock_id).toMatch(/^flock:[0-9a-f]{32}$/)
    expect((await rookery.api.flocks.list()).flocks).toEqual({
      'flock:default': 'Default Flock',
      [flock_id]: 'Berlin',
    })
    expect((await rookery.api.flocks.rename({ flock_id, name: 'Wien' })).flock_id).toBe(flock_id)
    expect((await rookery.api.flocks.list()).flocks).toMatchObject({ [flock_id]: 'Wien' })
    expect((await rookery.post('/flock/delete', { flock_id })).status).toBe(200)
    expect((await rookery.api.flocks.list()).flocks).toEqual({ 'flock:default': 'Default Flock' })
  })

  it('have a name of 1 to 100 characters', async () => {
    const refused = async (name: string): Promise<unknown[]> => {
      const { status, json } = await rookery.post('/flock/create', { name })
      return [status, json['message']]
    }
    expect(await refused('')).toEqual([400, 'Flock name cannot be empty.'])
    expect(await refused('   ')).toEqual([400, 'Flock name cannot be empty.'])
    expect(await refused('x'.repeat(101))).toEqual([400, 'Flock name longer than maximum (100 characters).'])
    const emoji = '🦆'.repeat(100)
    const flock_id = await make(rookery, emoji)
    expect((await rookery.api.flocks.list()).flocks).toMatchObject({ [flock_id]: emoji })
    expect(await refused('🦆'.repeat(101))).toEqual([400, 'Flock name longer than maximum (100 characters).'])
  })

  it('are not deleted while a Bird or a token is in them, and the default never', async () => {
    const refused = async (flock_id: string): Promise<unknown[]> => {
      const { status, json } = await rookery.call('DELETE', '/flock/delete', { flock_id })
      return [status, json['message']]
    }
    expect((await rookery.post('/flock/delete', { flock_id: 'flock:default' })).json['message']).toBe(
      'Cannot delete default flock',
    )
    expect((await rookery.post('/flock/delete', { flock_id: 'flock:none' })).json['message']).toBe(
      'Flock does not exist.',
    )
    expect((await refused('flock:default'))[0]).toBe(405)

    const birds = await make(rookery, 'Birds')
    const bird = await addBird(rookery, { flock_id: birds })
    const tokens = await make(rookery, 'Tokens')
    const { factory_auth } = await rookery.api.tokenFactory.createFactory({ flock_id: tokens, memo: 'm' })
    await rookery.api.tokenFactory.create({
      factory_auth: factory_auth ?? '',
      memo: 'm',
      kind: 'http',
    })
    for (const flock_id of [birds, tokens]) {
      const { status, json } = await rookery.post('/flock/delete', { flock_id })
      expect([status, json['message']]).toEqual([409, 'Cannot delete a non-empty flock'])
    }
    await rookery.api.flocks.move({ node_id: bird, flock_id: 'flock:default' })
    expect((await rookery.post('/flock/delete', { flock_id: birds })).status).toBe(200)
  })

  it('take their factories along when they go', async () => {
    const flock_id = await make(rookery, 'Short')
    const { factory_auth = '' } = await rookery.api.tokenFactory.createFactory({ flock_id, memo: 'm' })
    await rookery.api.flocks.remove({ flock_id })
    const late = await rookery.post(
      '/decoytoken/factory/create',
      { factory_auth, memo: 'm', kind: 'http' },
      null,
    )
    expect(late.status).toBe(401)
    expect((await rookery.api.tokenFactory.listFactories()).factories).toEqual([])
  })

  it('a registered Bird moves; one that waits does not, an unknown one is not found', async () => {
    const flock_id = await make(rookery, 'Berlin')
    const bird = await addBird(rookery, {})
    const waiting = await addBird(rookery, { state: 'pending' })
    expect((await rookery.api.flocks.move({ node_id: bird, flock_id })).flock_id).toBe(flock_id)
    expect((await rookery.api.flocks.members({ flock_id })).sensors).toEqual([bird])
    expect((await rookery.api.flocks.members({ flock_id: 'flock:default' })).sensors).toEqual([])
    expect((await rookery.post('/flock/move', { node_id: waiting, flock_id })).status).toBe(409)
    const unknown = await rookery.post('/flock/move', { node_id: '0123456789abcdef', flock_id })
    expect([unknown.status, unknown.json['message']]).toEqual([404, 'Bird not found'])
    expect((await rookery.post('/flock/move', { node_id: bird, flock_id: 'flock:none' })).status).toBe(404)
  })

  it('that are full take no Bird, and one that leaves makes room for the first who waits', async () => {
    const full = await make(rookery, 'Full')
    const bird = await addBird(rookery, { flock_id: full })
    const queued = await addBird(rookery, { flock_id: full, state: 'queued' })
    const other = await addBird(rookery, {})
    await rookery.api.flockLimits.set({ flock_id: full, limit: 1 })
    await rookery.api.flockLimits.enable({ flock_id: full })
    expect((await rookery.post('/flock/move', { node_id: other, flock_id: full })).status).toBe(409)
    await rookery.api.flocks.move({ node_id: bird, flock_id: 'flock:default' })
    expect((await rookery.api.flocks.members({ flock_id: full })).sensors).toEqual([queued])
  })
})
