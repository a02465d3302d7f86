import { describe, expect, it } from 'vitest'
import { createUser } from '../../stores/users/create.ts'
import { verifyPassword } from '../../stores/users/log-in.ts'
import { findUser, markLogin } from '../../stores/users/store.ts'
import {
  engines,
  openTestConsole,
  ownTestConsole,
  type Answer,
  type TestConsole,
  type Params,
} from '../../../test/test-console.ts'

const password = 'kestrel over the harbour'
const flock_id = 'flock:default'

const create = (rookery: TestConsole, email: string, params: Params = {}): Promise<Answer> =>
  rookery.post('/user/create', { email, password, ...params })
/** Straight into the table, without a password: deriving one takes a quarter of a second. */
const addUser = (
  { console: { base } }: TestConsole,
  email: string,
  access_level: 'admin' | 'user' = 'user',
) => base.writer.write((tx) => createUser(tx, base.world, { email, access_level, password_hash: 'x' }))
const logsIn = async (rookery: TestConsole, email: string, with_: string): Promise<boolean> =>
  (await verifyPassword(rookery.console.base.reader, email, with_)) !== undefined

describe.each(engines)('users (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('a new user logs in with the password alone, whatever the case of the address', async () => {
    const asked = { email: 'Ann@Example.com', password, note: 'Night shift', supervisor: true }
    const { user: made } = await rookery.api.users.create(asked)
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
    expect((await rookery.api.users.read({ email: 'ANN@example.COM' })).user).toEqual(made)
    expect(await logsIn(rookery, 'ann@EXAMPLE.com', password)).toBe(true)
    expect(await logsIn(rookery, 'ann@example.com', password.toUpperCase())).toBe(false)
    expect(await logsIn(rookery, 'bea@example.com', password)).toBe(false)
    expect(await logsIn(rookery, 'ann@example.com', '')).toBe(false)
  })

  it('an address belongs to one user', async () => {
    expect((await create(rookery, 'ann@example.com')).status).toBe(200)
    expect((await create(rookery, 'ANN@example.com')).status).toBe(409)
    expect((await create(rookery, 'bea@example.com')).status).toBe(200)
    const rename = (email: string, new_email: string): Promise<Answer> =>
      rookery.post('/user/update', { email, new_email })
    expect((await rename('bea@example.com', 'Ann@Example.com')).status).toBe(409)
    expect((await rename('bea@example.com', 'Bea@Example.com')).json['user']).toMatchObject({
      email: 'Bea@Example.com',
    })
    expect((await rename('bea@example.com', 'cem@example.com')).status).toBe(200)
    expect((await rookery.get('/user/get', { email: 'bea@example.com' })).status).toBe(404)
  })

  it('a change of nothing changes nothing', async () => {
    await addUser(rookery, 'ann@example.com')
    const { status, json } = await rookery.post('/user/update', { email: 'ann@example.com' })
    expect([status, json['user']]).toEqual([
      200,
      (await rookery.api.users.read({ email: 'ann@example.com' })).user,
    ])
  })

  it('a changed password counts at once, a disabled user and one for single sign-on are shut out', async () => {
    const email = 'ann@example.com'
    await create(rookery, email)
    const other = 'plover behind the dunes'
    await rookery.api.users.update({ email, password: other, note: 'x' })
    expect([await logsIn(rookery, email, password), await logsIn(rookery, email, other)]).toEqual([
      false,
      true,
    ])
    expect((await rookery.api.users.disable({ email })).user['disabled']).toBe(true)
    expect(await logsIn(rookery, email, other)).toBe(false)
    expect((await rookery.api.users.enable({ email })).user['disabled']).toBe(false)
    expect(await logsIn(rookery, email, other)).toBe(true)
    const sso = (await rookery.api.users.update({ email, no_direct_login: true, note: ' ' })).user
    expect([sso['no_direct_login'], sso['note']]).toEqual([true, ''])
    expect(await logsIn(rookery, email, other)).toBe(false)
  })

  it('the last admin who is let in can be neither deleted, disabled nor made less', async () => {
    const [email, other] = ['ann@example.com', 'bea@example.com']
    await addUser(rookery, email, 'admin')
    await addUser(rookery, other, 'admin')
    await rookery.api.users.disable({ email: other })
    const tries = async (): Promise<number[]> => [
      (await rookery.post('/user/disable', { email })).status,
      (await rookery.post('/user/update', { email, access_level: 'user' })).status,
      (await rookery.call('DELETE', '/user/delete', { email })).status,
    ]
    expect(await tries()).toEqual([409, 409, 409])
    expect((await rookery.api.users.read({ email })).user).toMatchObject({
      access_level: 'admin',
      disabled: false,
    })
    await rookery.api.users.enable({ email: other })
    expect((await rookery.call('DELETE', '/user/delete', { email })).status).toBe(200)
    expect((await rookery.get('/user/get', { email })).status).toBe(404)
    expect((await rookery.call('DELETE', '/user/delete', { email: other })).status).toBe(409)
  })

  it('an update of nothing changes nothing', async () => {
    const email = 'ann@example.com'
    await addUser(rookery, email)
    const { user: before } = await rookery.api.users.read({ email })
    expect((await rookery.api.users.update({ email })).user).toEqual(before)
  })

  it('an admin who has not answered an invitation is none that could be left alone', async () => {
    const email = 'ann@example.com'
    await addUser(rookery, email, 'admin')
    await rookery.api.users.invite({ email: 'bea@example.com', access_level: 'admin' })
    expect((await rookery.post('/user/disable', { email })).status).toBe(409)
  })

  it('a role in a Flock shows on both sides, one for each Flock, and goes with the Flock', async () => {
    const email = 'ann@example.com'
    await addUser(rookery, email)
    const answer = await rookery.api.flocks.create({ name: 'Berlin' })
    const berlin = String(answer.flock_id)
    await rookery.api.users.assign({ email, flock_id, role: 'manager' })
    await rookery.api.users.assign({ email, flock_id: berlin, role: 'manager' })
    const both = [flock_id, berlin].sort()
    expect(await rookery.api.users.rights({ email })).toMatchObject({
      access_level: 0,
      email,
      managed_flocks: both,
      watched_flocks: [],
    })
    const watching = await rookery.api.users.assign({ email, flock_id, role: 'watcher' })
    expect(watching.user).toMatchObject({ managed_flocks: berlin, watched_flocks: flock_id })
    expect((await rookery.api.users.ofFlock({ flock_id })).users).toMatchObject([{ email, role: 'watcher' }])

    expect((await rookery.post('/flock/delete', { flock_id: berlin })).status).toBe(200)
    expect((await rookery.api.users.read({ email })).user['managed_flocks']).toBe('')
    expect((await rookery.post('/user/flock/unassign', { email, flock_id })).status).toBe(200)
    expect((await rookery.post('/user/flock/unassign', { email, flock_id })).status).toBe(404)
    expect((await rookery.api.users.ofFlock({ flock_id })).users).toEqual([])
    expect((await rookery.get('/flock/users', { flock_id: 'flock:none' })).status).toBe(404)
  })

  it('lists write flags as texts, and find a part of address or note', async () => {
    await create(rookery, 'bea@example.com', { access_level: 'admin', note: '100% on call' })
    await create(rookery, 'ann@example.org', { supervisor: true })
    expect((await rookery.api.users.list()).users).toMatchObject([
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
      (await rookery.api.users.filter({ filter_str })).users.map(({ email }) => email)
    expect(await found('EXAMPLE.ORG')).toEqual(['ann@example.org'])
    expect(await found('0% ON')).toEqual(['bea@example.com'])
    expect(await found('%')).toEqual(['bea@example.com'])
    expect(await found('nobody')).toEqual([])
    expect((await rookery.api.users.filter({ filter_str: 'example', limit: 1 })).users).toHaveLength(1)
    expect((await rookery.api.users.filter({ filter_str: 'example', limit: 2 })).users).toHaveLength(2)
  })

  it('names what is wrong with a new user', async () => {
    const wrong = async (params: Params): Promise<unknown[]> => {
      const { status, json } = await rookery.post('/user/create', params)
      return [status, Object.keys(json['details'] ?? {})]
    }
    const ok = { email: 'ann@example.com', password }
    expect(await wrong({ ...ok, email: 'ann' })).toEqual([400, ['email']])
    expect(await wrong({ ...ok, email: 'ann@exam\u001bple.com' })).toEqual([400, ['email']])
    expect(await wrong({ ...ok, password: 'too short' })).toEqual([400, ['password']])
    expect(await wrong({ ...ok, access_level: 'root' })).toEqual([400, ['access_level']])
    expect(await wrong({ email: ok.email })).toEqual([400, ['password']])
    expect((await rookery.api.users.list()).users).toEqual([])
    expect((await rookery.post('/user/disable', { email: 'ann@example.com' })).status).toBe(404)
  })

  it('remembers the last login and the one before', async () => {
    await addUser(rookery, 'ann@example.com')
    const { reader, writer } = rookery.console.base
    const id = (await findUser(reader, 'ann@example.com'))?.user_id ?? ''
    for (const day of ['2026-11-19', '2026-11-20'])
      await writer.write((tx) => markLogin(tx.query, id, Date.parse(`${day}T08:00:00Z`)))
    expect((await rookery.api.users.read({ email: 'ann@example.com' })).user).toMatchObject({
      most_recent_login_time: '2026-11-20 08:00:00 UTC+0000',
      previous_login_time: '2026-11-19 08:00:00 UTC+0000',
    })
  })
})

// No table sees a password: one engine shows it.
describe('a password', () => {
  it('that is easy to guess is refused, with what would be better', async () => {
    const rookery = await openTestConsole()
    const weak = async (path: string, params: Params): Promise<unknown> => {
      const { status, json } = await rookery.post(path, params)
      expect(status).toBe(400)
      return (json as { details?: Record<string, string> }).details?.['password']
    }
    const email = 'ann.holm@example.com'
    expect(await weak('/user/create', { email, password: 'password1234' })).toBe(
      'must be harder to guess: it is much like a common password; use four or more unrelated words, or 16 random characters',
    )
    expect(await weak('/user/create', { email, password: 'ann.holm@example' })).toContain('own address')
    await addUser(rookery, email)
    expect(await weak('/user/update', { email, password: 'Ann.Holm2026' })).toContain('own address')
    const new_email = 'sandpiper@example.com'
    expect(await weak('/user/update', { email, new_email, password: 'sandpiper@example' })).toContain(
      'own address',
    )
  })

  it('may be long, of any characters', async () => {
    const rookery = await openTestConsole()
    const long = '🪶 na vrh hrastove krošnje '.repeat(38).slice(0, 1_000)
    await rookery.api.users.create({ email: 'ann@example.com', password: long })
    expect(await logsIn(rookery, 'ann@example.com', long)).toBe(true)
    expect(await logsIn(rookery, 'ann@example.com', long.slice(0, -1))).toBe(false)
  })
})

describe.each(engines)('the first user (%s)', (engine) => {
  const env = { ROOKERY_BOOTSTRAP_EMAIL: 'ann@example.com', ROOKERY_BOOTSTRAP_PASSWORD: password }

  it('is an admin made from the environment, once', async () => {
    const rookery = await openTestConsole({ engine, env })
    expect((await rookery.api.users.read({ email: 'ann@example.com' })).user['access_level']).toBe('admin')
    expect(await logsIn(rookery, 'ann@example.com', password)).toBe(true)
    await rookery.api.users.update({ email: 'ann@example.com', new_email: 'bea@example.com' })
    await rookery.restart()
    expect((await rookery.api.users.list()).users.map(({ email }) => email)).toEqual(['bea@example.com'])
  })

  it('has a password as every user', async () => {
    // Twelve UTF-16 units, six characters.
    const short = openTestConsole({ engine, env: { ...env, ROOKERY_BOOTSTRAP_PASSWORD: '🪶'.repeat(6) } })
    await expect(short).rejects.toMatchObject({
      details: { ROOKERY_BOOTSTRAP_PASSWORD: 'must have 12 to 1000 characters, not 6' },
    })
    const weak = openTestConsole({ engine, env: { ...env, ROOKERY_BOOTSTRAP_PASSWORD: 'ann@example.com' } })
    await expect(weak).rejects.toMatchObject({
      details: { ROOKERY_BOOTSTRAP_PASSWORD: expect.stringContaining("the user's own address") as string },
    })
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
