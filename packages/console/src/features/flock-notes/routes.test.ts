import { describe, expect, it } from 'vitest'
import { engines, ownTestConsole } from '../../../test/test-console.ts'

const flock_id = 'flock:default'

describe.each(engines)('the note of a Flock (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('is empty at first, kept when written, and gone when deleted', async () => {
    expect((await rookery.get('/flock/note', { flock_id })).json).toMatchObject({
      result: 'success',
      note: '',
    })
    await rookery.post('/flock/note/add', { flock_id, note: 'Third floor\n— left of the door' })
    expect((await rookery.get('/flock/note', { flock_id })).json).toMatchObject({
      note: 'Third floor\n— left of the door',
    })
    await rookery.call('DELETE', '/flock/note/delete', { flock_id })
    expect((await rookery.get('/flock/note', { flock_id })).json).toMatchObject({ note: '' })
  })

  it('survives a restart', async () => {
    await rookery.post('/flock/note/add', { flock_id, note: 'kept' })
    await rookery.restart()
    expect((await rookery.get('/flock/note', { flock_id })).json).toMatchObject({ note: 'kept' })
  })

  it('of an unknown Flock is a 404, without one a 400, without a key a 401', async () => {
    const missing = await rookery.post('/flock/note/add', { flock_id: 'flock:none', note: 'x' })
    expect([missing.status, missing.json['message']]).toEqual([404, 'Flock does not exist.'])
    const without = await rookery.post('/flock/note/add', { note: 'x' })
    expect([without.status, without.json['details']]).toEqual([400, { flock_id: 'is required' }])
    expect((await rookery.post('/flock/note/add', { flock_id, note: '' })).json['message']).toBe('Empty note')
    const nobody = await rookery.get('/flock/note', { flock_id }, null)
    expect([nobody.status, nobody.json['message']]).toEqual([401, 'Invalid auth_token'])
  })
})
