import { describe, expect, it } from 'vitest'
import { addBird } from '../../../test/birds.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const make = async (house: TestConsole, name: string): Promise<string> =>
  ((await house.post('/flock/create', { name })).json as unknown as { flock_id: string }).flock_id

describe.each(engines)('Flocks (%s)', (engine) => {
  it('are made, renamed, listed and deleted', async () => {
    const house = await openTestConsole({ engine })
    const flock_id = await make(house, '  Berlin ')
    expect(flock_id).toMatch(/^flock:[0-9a-f]{32}$/)
    expect((await house.get('/flocks/list')).json['flocks']).toEqual({
      'flock:default': 'Default Flock',
      [flock_id]: 'Berlin',
    })
    expect((await house.post('/flock/rename', { flock_id, name: 'Wien' })).json['flock_id']).toBe(flock_id)
    expect((await house.get('/flocks/list')).json['flocks']).toMatchObject({ [flock_id]: 'Wien' })
    expect((await house.post('/flock/delete', { flock_id })).status).toBe(200)
    expect((await house.get('/flocks/list')).json['flocks']).toEqual({ 'flock:default': 'Default Flock' })
  })

  it('have a name of 1 to 100 characters', async () => {
    const house = await openTestConsole({ engine })
    const refused = async (name: string): Promise<unknown[]> => {
      const { status, json } = await house.post('/flock/create', { name })
      return [status, json['message']]
    }
    expect(await refused('')).toEqual([400, 'Flock name cannot be empty.'])
    expect(await refused('   ')).toEqual([400, 'Flock name cannot be empty.'])
    expect(await refused('x'.repeat(101))).toEqual([400, 'Flock name longer than maximum (100 characters).'])
    const emoji = '🦆'.repeat(100)
    const flock_id = await make(house, emoji)
    expect((await house.get('/flocks/list')).json['flocks']).toMatchObject({ [flock_id]: emoji })
    expect(await refused('🦆'.repeat(101))).toEqual([400, 'Flock name longer than maximum (100 characters).'])
  })

  it('are not deleted while a Bird or a token is in them, and the default never', async () => {
    const house = await openTestConsole({ engine })
    const refused = async (flock_id: string): Promise<unknown[]> => {
      const { status, json } = await house.call('DELETE', '/flock/delete', { flock_id })
      return [status, json['message']]
    }
    expect((await house.post('/flock/delete', { flock_id: 'flock:default' })).json['message']).toBe(
      'Cannot delete default flock',
    )
    expect((await house.post('/flock/delete', { flock_id: 'flock:none' })).json['message']).toBe(
      'Flock does not exist.',
    )
    expect((await refused('flock:default'))[0]).toBe(405)

    const birds = await make(house, 'Birds')
    const bird = await addBird(house, { flock_id: birds })
    const tokens = await make(house, 'Tokens')
    const { factory_auth } = (await house.post('/decoytoken/create_factory', { flock_id: tokens, memo: 'm' }))
      .json
    await house.post('/decoytoken/factory/create', {
      factory_auth: factory_auth ?? '',
      memo: 'm',
      kind: 'http',
    })
    for (const flock_id of [birds, tokens]) {
      const { status, json } = await house.post('/flock/delete', { flock_id })
      expect([status, json['message']]).toEqual([409, 'Cannot delete a non-empty flock'])
    }
    await house.post('/flock/move', { node_id: bird, flock_id: 'flock:default' })
    expect((await house.post('/flock/delete', { flock_id: birds })).status).toBe(200)
  })

  it('take their factories along when they go', async () => {
    const house = await openTestConsole({ engine })
    const flock_id = await make(house, 'Short')
    const { factory_auth = '' } = (await house.post('/decoytoken/create_factory', { flock_id, memo: 'm' }))
      .json
    await house.post('/flock/delete', { flock_id })
    const late = await house.post(
      '/decoytoken/factory/create',
      { factory_auth, memo: 'm', kind: 'http' },
      null,
    )
    expect(late.status).toBe(401)
    expect((await house.get('/decoytoken/list_factories')).json['factories']).toEqual([])
  })

  it('a registered Bird moves; one that waits does not, an unknown one is not found', async () => {
    const house = await openTestConsole({ engine })
    const flock_id = await make(house, 'Berlin')
    const bird = await addBird(house, {})
    const waiting = await addBird(house, { state: 'pending' })
    expect((await house.post('/flock/move', { node_id: bird, flock_id })).json['flock_id']).toBe(flock_id)
    expect((await house.get('/flock/list', { flock_id })).json['sensors']).toEqual([bird])
    expect((await house.get('/flock/list', { flock_id: 'flock:default' })).json['sensors']).toEqual([])
    expect((await house.post('/flock/move', { node_id: waiting, flock_id })).status).toBe(409)
    const unknown = await house.post('/flock/move', { node_id: '0123456789abcdef', flock_id })
    expect([unknown.status, unknown.json['message']]).toEqual([404, 'Bird not found'])
    expect((await house.post('/flock/move', { node_id: bird, flock_id: 'flock:none' })).status).toBe(404)
  })

  it('that are full take no Bird, and one that leaves makes room for the first who waits', async () => {
    const house = await openTestConsole({ engine })
    const full = await make(house, 'Full')
    const bird = await addBird(house, { flock_id: full })
    const queued = await addBird(house, { flock_id: full, state: 'queued' })
    const other = await addBird(house, {})
    await house.post('/flock/limit/set', { flock_id: full, limit: 1 })
    await house.post('/flock/limit/enable', { flock_id: full })
    expect((await house.post('/flock/move', { node_id: other, flock_id: full })).status).toBe(409)
    await house.post('/flock/move', { node_id: bird, flock_id: 'flock:default' })
    expect((await house.get('/flock/list', { flock_id: full })).json['sensors']).toEqual([queued])
  })
})
