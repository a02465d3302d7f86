import { describe, expect, it } from 'vitest'
import { verifyPassword } from '../../stores/users/log-in.ts'
import { findUser, markLogin } from '../../stores/users/store.ts'
import {
  engines,
  openTestConsole,
  type Answer,
  type TestConsole,
  type Params,
} from '../../../test/test-console.ts'

const password = 'kestrel over the harbour'
const flock_id = 'flock:default'

const userIn = ({ json }: Answer) => (json as unknown as { user: Record<string, unknown> }).user
const usersIn = ({ json }: Answer) => (json as unknown as { users: Record<string, unknown>[] }).users
const create = (house: TestConsole, email: string, params: Params = {}): Promise<Answer> =>
  house.post('/user/create', { email, password, ...params })
const logsIn = async (house: TestConsole, email: string, with_: string): Promise<boolean> =>
  (await verifyPassword(house.console.base.reader, email, with_)) !== undefined

describe.each(engines)('users (%s)', (engine) => {
  it('a new user logs in with the password alone, whatever the case of the address', async () => {
    const house = await openTestConsole({ engine })
    const made = userIn(await create(house, 'Ann@Example.com', { note: 'Night shift', supervisor: true }))
    expect(made).toEqual({
      access_level: 'user',
      custom_flock_icons_enabled: true,
      disabled: false,
      email: 'Ann@Example.com',
      id: expect.stringMatching(/^user:[0-9a-f]{32}$/) as string,
      managed_flocks: '',
      most_recent_login_time: '',
      no_direct_login: false,
      note: 'Night shift',
      page_transitions_enabled: true,
      previous_login_time: '',
      saml_provisioned: false,
      seasonal_effects_enabled: false,
      summary_email_enabled: false,
      supervisor: true,
      totp_enabled: false,
      watched_flocks: '',
      webauthn_credential: '',
      webauthn_enabled: false,
    })
    expect(userIn(await house.get('/user/get', { email: 'ANN@example.COM' }))).toEqual(made)
    expect(await logsIn(house, 'ann@EXAMPLE.com', password)).toBe(true)
    expect(await logsIn(house, 'ann@example.com', password.toUpperCase())).toBe(false)
    expect(await logsIn(house, 'bea@example.com', password)).toBe(false)
    expect(await logsIn(house, 'ann@example.com', '')).toBe(false)
  })

  it('an address belongs to one user', async () => {
    const house = await openTestConsole({ engine })
    expect((await create(house, 'ann@example.com')).status).toBe(200)
    expect((await create(house, 'ANN@example.com')).status).toBe(409)
    expect((await create(house, 'bea@example.com')).status).toBe(200)
    const rename = (email: string, new_email: string): Promise<Answer> =>
      house.post('/user/update', { email, new_email })
    expect((await rename('bea@example.com', 'Ann@Example.com')).status).toBe(409)
    expect(userIn(await rename('bea@example.com', 'Bea@Example.com'))['email']).toBe('Bea@Example.com')
    expect((await rename('bea@example.com', 'cem@example.com')).status).toBe(200)
    expect((await house.get('/user/get', { email: 'bea@example.com' })).status).toBe(404)
  })

  it('a changed password counts at once, a disabled user and one for single sign-on are shut out', async () => {
    const house = await openTestConsole({ engine })
    const email = 'ann@example.com'
    await create(house, email)
    const other = 'plover behind the dunes'
    await house.post('/user/update', { email, password: other, note: 'x' })
    expect([await logsIn(house, email, password), await logsIn(house, email, other)]).toEqual([false, true])
    expect(userIn(await house.post('/user/disable', { email }))['disabled']).toBe(true)
    expect(await logsIn(house, email, other)).toBe(false)
    expect(userIn(await house.post('/user/enable', { email }))['disabled']).toBe(false)
    expect(await logsIn(house, email, other)).toBe(true)
    const sso = userIn(await house.post('/user/update', { email, no_direct_login: true, note: ' ' }))
    expect([sso['no_direct_login'], sso['note']]).toEqual([true, ''])
    expect(await logsIn(house, email, other)).toBe(false)
  })

  it('the last admin who is let in can be neither deleted, disabled nor made less', async () => {
    const house = await openTestConsole({ engine })
    const [email, other] = ['ann@example.com', 'bea@example.com']
    await create(house, email, { access_level: 'admin' })
    await create(house, other, { access_level: 'admin' })
    await house.post('/user/disable', { email: other })
    const tries = async (): Promise<number[]> => [
      (await house.post('/user/disable', { email })).status,
      (await house.post('/user/update', { email, access_level: 'user' })).status,
      (await house.call('DELETE', '/user/delete', { email })).status,
    ]
    expect(await tries()).toEqual([409, 409, 409])
    expect(userIn(await house.get('/user/get', { email }))).toMatchObject({
      access_level: 'admin',
      disabled: false,
    })
    await house.post('/user/enable', { email: other })
    expect((await house.call('DELETE', '/user/delete', { email })).status).toBe(200)
    expect((await house.get('/user/get', { email })).status).toBe(404)
    expect((await house.call('DELETE', '/user/delete', { email: other })).status).toBe(409)
  })

  it('a role in a Flock shows on both sides, one for each Flock, and goes with the Flock', async () => {
    const house = await openTestConsole({ engine })
    const email = 'ann@example.com'
    await create(house, email)
    const { json } = await house.post('/flock/create', { name: 'Berlin' })
    const berlin = String(json['flock_id'])
    await house.post('/user/flock/assign', { email, flock_id, role: 'manager' })
    await house.post('/user/flock/assign', { email, flock_id: berlin, role: 'manager' })
    const both = [flock_id, berlin].sort()
    expect((await house.get('/user/auth', { email })).json).toMatchObject({
      access_level: 0,
      email,
      managed_flocks: both,
      watched_flocks: [],
    })
    const watching = await house.post('/user/flock/assign', { email, flock_id, role: 'watcher' })
    expect(userIn(watching)).toMatchObject({ managed_flocks: berlin, watched_flocks: flock_id })
    expect(usersIn(await house.get('/flock/users', { flock_id }))).toMatchObject([{ email, role: 'watcher' }])

    expect((await house.post('/flock/delete', { flock_id: berlin })).status).toBe(200)
    expect(userIn(await house.get('/user/get', { email }))['managed_flocks']).toBe('')
    expect((await house.post('/user/flock/unassign', { email, flock_id })).status).toBe(200)
    expect((await house.post('/user/flock/unassign', { email, flock_id })).status).toBe(404)
    expect(usersIn(await house.get('/flock/users', { flock_id }))).toEqual([])
    expect((await house.get('/flock/users', { flock_id: 'flock:none' })).status).toBe(404)
  })

  it('lists write flags as texts, and find a part of address or note', async () => {
    const house = await openTestConsole({ engine })
    await create(house, 'bea@example.com', { access_level: 'admin', note: '100% on call' })
    await create(house, 'ann@example.org', { supervisor: true })
    expect(usersIn(await house.get('/users/list'))).toMatchObject([
      {
        email: 'ann@example.org',
        access_level: 'user',
        disabled: 'False',
        supervisor: 'True',
        totp_enabled: 'False',
        webauthn_enabled: false,
      },
      { email: 'bea@example.com', access_level: 'admin' },
    ])
    const found = async (filter_str: string): Promise<unknown[]> =>
      usersIn(await house.get('/users/filter', { filter_str })).map(({ email }) => email)
    expect(await found('EXAMPLE.ORG')).toEqual(['ann@example.org'])
    expect(await found('0% ON')).toEqual(['bea@example.com'])
    expect(await found('%')).toEqual(['bea@example.com'])
    expect(await found('nobody')).toEqual([])
  })

  it('names what is wrong with a new user', async () => {
    const house = await openTestConsole({ engine })
    const wrong = async (params: Params): Promise<unknown[]> => {
      const { status, json } = await house.post('/user/create', params)
      return [status, Object.keys(json['details'] ?? {})]
    }
    const ok = { email: 'ann@example.com', password }
    expect(await wrong({ ...ok, email: 'ann' })).toEqual([400, ['email']])
    expect(await wrong({ ...ok, email: 'ann@exam\u001bple.com' })).toEqual([400, ['email']])
    expect(await wrong({ ...ok, password: 'too short' })).toEqual([400, ['password']])
    expect(await wrong({ ...ok, access_level: 'root' })).toEqual([400, ['access_level']])
    expect(await wrong({ email: ok.email })).toEqual([400, ['password']])
    expect(usersIn(await house.get('/users/list'))).toEqual([])
    expect((await house.post('/user/disable', { email: 'ann@example.com' })).status).toBe(404)
  })

  it('remembers the last login and the one before', async () => {
    const house = await openTestConsole({ engine })
    await create(house, 'ann@example.com')
    const { reader, writer } = house.console.base
    const id = (await findUser(reader, 'ann@example.com'))?.user_id ?? ''
    for (const day of ['2026-11-19', '2026-11-20'])
      await writer.write((tx) => markLogin(tx.query, id, Date.parse(`${day}T08:00:00Z`)))
    expect(userIn(await house.get('/user/get', { email: 'ann@example.com' }))).toMatchObject({
      most_recent_login_time: '2026-11-20 08:00:00 UTC+0000',
      previous_login_time: '2026-11-19 08:00:00 UTC+0000',
    })
  })
})

describe.each(engines)('the first user (%s)', (engine) => {
  const env = { ROOKERY_BOOTSTRAP_EMAIL: 'ann@example.com', ROOKERY_BOOTSTRAP_PASSWORD: password }

  it('is an admin made from the environment, once', async () => {
    const house = await openTestConsole({ engine, env })
    expect(userIn(await house.get('/user/get', { email: 'ann@example.com' }))['access_level']).toBe('admin')
    expect(await logsIn(house, 'ann@example.com', password)).toBe(true)
    await house.post('/user/update', { email: 'ann@example.com', new_email: 'bea@example.com' })
    await house.restart()
    expect(usersIn(await house.get('/users/list')).map(({ email }) => email)).toEqual(['bea@example.com'])
  })

  it('needs both options', async () => {
    for (const [lone, missing] of [
      ['EMAIL', 'PASSWORD'],
      ['PASSWORD', 'EMAIL'],
    ] as const) {
      const name = `ROOKERY_BOOTSTRAP_${lone}` as const
      await expect(openTestConsole({ engine, env: { [name]: env[name] } })).rejects.toThrow(
        `ROOKERY_BOOTSTRAP_${missing} is not`,
      )
    }
  })
})
