import { describe, expect, it } from 'vitest'
import { addApp, addPasskey, codeAt } from '../../../test/factors.ts'
import { addPerson, ANN, askAs, PASSWORD, signIn, type Halves } from '../../../test/person.ts'
import { engines, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'

const NEW = 'plover behind the dunes'
const BEA = 'bea@example.com'

const isSignedIn = async (rookery: TestConsole, halves: Halves): Promise<unknown> =>
  (await askAs(rookery, halves, 'GET', '/session')).json['signed_in']

describe.each(engines)('one’s own account (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })
  const get = (halves: Halves, path: string) => askAs(rookery, halves, 'GET', `/me/${path}`)
  const post = (halves: Halves, path: string, params = {}, headers = {}) =>
    askAs(rookery, halves, 'POST', `/me/${path}`, params, headers)

  it('a new password needs the present one, and ends the other sessions', async () => {
    await addPerson(rookery)
    const [{ halves }, { halves: other }] = [await signIn(rookery), await signIn(rookery)]
    const wrong = await post(halves, 'password', { password: NEW, new_password: NEW })
    expect([wrong.status, wrong.json['details']]).toEqual([400, { password: 'is not your present password' }])
    const weak = await post(halves, 'password', { password: PASSWORD, new_password: 'short' })
    expect([weak.status, Object.keys(weak.json['details'] as object)]).toEqual([400, ['new_password']])
    expect(await isSignedIn(rookery, other)).toBe(true)
    const changed = await post(halves, 'password', { password: PASSWORD, new_password: NEW })
    expect(changed.json).toMatchObject({ ended: 1 })
    expect([await isSignedIn(rookery, halves), await isSignedIn(rookery, other)]).toEqual([true, false])
    expect([(await signIn(rookery)).status, (await signIn(rookery, { password: NEW })).status]).toEqual([
      401, 200,
    ])
    const { json } = await rookery.get('/audit_trail/fetch', { user: ANN })
    const messages = (json['audit_trail'] as unknown as { message: string }[]).map(({ message }) => message)
    expect(messages).toContain(
      'Change the own password; the other sessions end: password (withheld), new_password (withheld).',
    )
  })

  it('the own sessions are listed, with the one that asks, and ended', async () => {
    await addPerson(rookery)
    await addPerson(rookery, BEA)
    const { halves: bea } = await signIn(rookery, { email: BEA })
    const { halves } = await signIn(rookery, { headers: { 'User-Agent': 'Lapwing/1.0' } })
    const { halves: phone } = await signIn(rookery)
    const { halves: third } = await signIn(rookery)
    const { sessions } = (await get(halves, 'sessions')).json as {
      sessions: { session_id: string; is_current: boolean; user_agent: string; address: string }[]
    }
    expect(sessions.map(({ is_current }) => is_current).toSorted()).toEqual([false, false, true])
    expect(sessions.find(({ is_current }) => is_current)).toMatchObject({
      user_agent: 'Lapwing/1.0',
      address: '127.0.0.1',
    })
    const { sessions: hers } = (await get(phone, 'sessions')).json as { sessions: typeof sessions }
    const phoneId = hers.find(({ is_current }) => is_current)?.session_id ?? ''
    expect((await post(bea, 'sessions/end', { session_id: phoneId })).status).toBe(404)
    expect((await post(halves, 'sessions/end', { session_id: phoneId })).json).toMatchObject({ ended: 1 })
    expect((await post(halves, 'sessions/end', { session_id: phoneId })).status).toBe(404)
    expect([await isSignedIn(rookery, phone), await isSignedIn(rookery, third)]).toEqual([false, true])
    expect((await post(halves, 'sessions/end')).json).toMatchObject({ ended: 1 })
    for (const [who, is] of [
      [third, false],
      [halves, true],
      [bea, true],
    ] as const)
      expect(await isSignedIn(rookery, who)).toBe(is)
  })

  it('factors are listed and removed; the last one takes the recovery codes with it', async () => {
    await addPerson(rookery)
    const { halves } = await signIn(rookery)
    const none = { totp: false, passkeys: [], recovery_codes: 0 }
    expect((await get(halves, 'factors')).json).toMatchObject(none)
    expect((await post(halves, 'recovery_codes')).status).toBe(409)
    expect((await post(halves, 'totp/confirm', { code: '1' })).status).toBe(409)
    const begun = await post(halves, 'totp/begin')
    expect(begun.json['uri']).toMatch(
      /^otpauth:\/\/totp\/Rookery:ann%40example\.com\?issuer=Rookery&secret=[A-Z2-7]{32}&/,
    )
    // One that was not confirmed is no factor.
    expect((await signIn(rookery)).json['needs_factor']).toBe(false)
    const wrong = await post(halves, 'totp/confirm', { code: '000000' })
    expect([wrong.status, Object.keys(wrong.json['details'] as object)]).toEqual([400, ['code']])
    const { codes } = await addApp(rookery, halves)
    expect([codes.length, (await post(halves, 'totp/begin')).status]).toEqual([10, 409])
    const { passkey, codes: further } = await addPasskey(rookery, halves)
    expect(further).toEqual([])
    expect((await get(halves, 'factors')).json).toMatchObject({
      totp: true,
      passkeys: [{ passkey_id: passkey.id, name: 'Laptop', rp_id: 'localhost', used: null }],
      recovery_codes: 10,
    })
    expect((await post(halves, 'passkeys/remove', { passkey_id: 'x' })).status).toBe(404)
    expect((await post(halves, 'passkeys/remove', { passkey_id: passkey.id })).status).toBe(200)
    expect((await post(halves, 'totp/remove')).status).toBe(200)
    expect((await post(halves, 'totp/remove')).status).toBe(404)
    expect((await get(halves, 'factors')).json).toMatchObject(none)
    expect((await signIn(rookery)).json['needs_factor']).toBe(false)
    const { json } = await rookery.get('/audit_trail/fetch', { user: ANN })
    const actions = (json['audit_trail'] as unknown as { action_type: string }[]).map((it) => it.action_type)
    for (const action of ['begin_totp', 'confirm_totp', 'remove_totp', 'add_passkey', 'remove_passkey'])
      expect(actions).toContain(`me.${action}`)
  })

  it('the secret of an app survives a new start', async () => {
    await addPerson(rookery)
    const { secret } = await addApp(rookery, (await signIn(rookery)).halves)
    await rookery.restart()
    const { halves } = await signIn(rookery)
    const given = await askAs(rookery, halves, 'POST', '/session/totp', { code: codeAt(rookery, secret) })
    expect(given.status).toBe(200)
  })

  it('preferences are kept for each person, and a zone that is none is refused', async () => {
    await addPerson(rookery)
    await addPerson(rookery, BEA)
    const { halves } = await signIn(rookery)
    const { halves: bea } = await signIn(rookery, { email: BEA })
    const before = { theme: 'system', zone: '', keys: true }
    expect((await get(halves, 'preferences')).json).toMatchObject(before)
    await post(halves, 'preferences', { theme: 'dark', zone: 'Europe/Berlin' })
    const now = { theme: 'dark', zone: 'Europe/Berlin', keys: false }
    expect((await post(halves, 'preferences', { keys: false })).json).toMatchObject(now)
    expect((await get(halves, 'preferences')).json).toMatchObject(now)
    expect((await get(bea, 'preferences')).json).toMatchObject(before)
    expect((await post(halves, 'preferences', { zone: 'Rookery/Tower' })).status).toBe(400)
    expect((await post(halves, 'preferences', { theme: 'pink' })).status).toBe(400)
  })
})
