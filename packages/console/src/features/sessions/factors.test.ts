import { describe, expect, it } from 'vitest'
import { signWith } from '../../../test/authenticator.ts'
import {
  addApp,
  addPasskey,
  atName,
  codeAt,
  give,
  openWithAnn,
  optionsOf,
  originOf,
  reads,
  trail,
  usePasskey,
} from '../../../test/factors.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { addPerson, ANN, askAs, openAs, PASSWORD, signIn, type Halves } from '../../../test/person.ts'
import { engines, freshDatabase, openTestConsole } from '../../../test/test-console.ts'

const MINUTE_MS = 60_000
const BEA = 'bea@example.com'
const WRONG_CODE = 'The code is not right, or was used before.'

describe.each(engines)('a second factor (%s)', (engine) => {
  it('an app: the password opens nothing until its code comes, and then new halves do', async () => {
    const { rookery, halves } = await openWithAnn(engine)
    const { secret, codes } = await addApp(rookery, halves)
    expect([codes.length, new Set(codes).size]).toEqual([10, 10])
    expect(codes[0]).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/)

    const signed = await signIn(rookery)
    expect(signed.json).toMatchObject({
      needs_factor: true,
      must_add_factor: false,
      ways: ['totp', 'recovery'],
    })
    const pending = signed.halves
    expect((await askAs(rookery, pending, 'GET', '/session')).json).toMatchObject({
      signed_in: false,
      needs_factor: true,
      me: null,
      ways: ['totp', 'recovery'],
      console: { public_url: null, tokens_url: null },
    })
    const opened = await give(rookery, pending, 'totp', ` ${codeAt(rookery, secret).replace(/(...)/, '$1 ')}`)
    expect([opened.status, opened.json['needs_factor'], opened.json['me']]).toMatchObject([
      200,
      false,
      { email: ANN },
    ])
    expect([opened.halves.cookie === pending.cookie, opened.halves.page === pending.page]).toEqual([
      false,
      false,
    ])
    expect([await reads(rookery, pending), await reads(rookery, opened.halves)]).toEqual([401, 200])
    for (const mixed of [
      { ...opened.halves, cookie: pending.cookie },
      { ...opened.halves, page: pending.page },
    ])
      expect(await reads(rookery, mixed)).toBe(401)
    expect((await trail(rookery)).slice(0, 2)).toEqual([
      `${ANN}: Signed in with a password and a code.`,
      `${ANN}: Gave the right password; the second factor is still missing.`,
    ])
    const { user } = await rookery.api.users.read({ email: ANN })
    expect(user).toMatchObject({ totp_enabled: true, webauthn_enabled: false })
    const stored = await rookery.console.base.reader.selectFrom('totp').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(secret)
  })

  it('a session without its factor may do nothing: not read, not change, not add a factor of its own', async () => {
    const { clock, rookery, halves } = await openWithAnn(engine)
    const { secret } = await addApp(rookery, halves)
    const { halves: pending } = await signIn(rookery)
    for (const [method, path] of [
      ['GET', '/me/factors'],
      ['GET', '/me/sessions'],
      ['GET', '/live'],
      ['POST', '/me/totp/begin'],
      ['POST', '/me/totp/confirm'],
      ['POST', '/me/totp/remove'],
      ['POST', '/me/passkeys/options'],
      ['POST', '/me/passkeys/add'],
      ['POST', '/me/recovery_codes'],
      ['POST', '/me/password'],
      ['POST', '/session/step_up'],
      ['POST', '/auth_token/add'],
      ['POST', '/settings/sign_in'],
    ] as const) {
      const { status, json } = await askAs(rookery, pending, method, path, { code: '1', password: PASSWORD })
      expect([path, status, json['message']]).toEqual([
        path,
        401,
        'The second factor is still missing: sign in with it first.',
      ])
    }
    expect(
      (await askAs(rookery, {}, 'POST', '/session/totp', { code: codeAt(rookery, secret) })).status,
    ).toBe(401)
    // It waits for ten minutes.
    clock.advance(10 * MINUTE_MS)
    expect((await give(rookery, pending, 'totp', codeAt(rookery, secret))).status).toBe(401)
  })

  it('who has the password alone ends no session, however often they give it', async () => {
    const { clock, rookery, halves } = await openWithAnn(engine)
    await addApp(rookery, halves)
    clock.advance(1_000)
    for (let n = 0; n < 55; n++) expect((await signIn(rookery)).json['needs_factor']).toBe(true)
    expect(await reads(rookery, halves)).toBe(200)
    const stored = await rookery.console.base.reader.selectFrom('session').select('session_id').execute()
    expect(stored).toHaveLength(50)
  })

  it('a step counts once, and never one before it', async () => {
    const { clock, rookery, halves } = await openWithAnn(engine)
    const { secret } = await addApp(rookery, halves)
    const [one, two, three] = await Promise.all([signIn(rookery), signIn(rookery), signIn(rookery)])
    const code = codeAt(rookery, secret)
    expect((await give(rookery, one.halves, 'totp', code)).status).toBe(200)
    for (const again of [code, codeAt(rookery, secret, -1), '000000', code.slice(1)]) {
      const { status, json } = await give(rookery, two.halves, 'totp', again)
      expect([status, json['message']]).toEqual([401, WRONG_CODE])
    }
    expect((await trail(rookery))[0]).toBe(`${ANN}: Sign-in failed: wrong code.`)
    clock.advance(MINUTE_MS / 2)
    const fresh = codeAt(rookery, secret)
    const both = await Promise.all([
      give(rookery, two.halves, 'totp', fresh),
      give(rookery, three.halves, 'totp', fresh),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  it('a recovery code opens once, however it is typed, and only for its person', async () => {
    const { rookery, halves } = await openWithAnn(engine)
    const { codes } = await addApp(rookery, halves)
    const [first = '', second = ''] = codes
    await addPerson(rookery, BEA)
    await addApp(rookery, (await signIn(rookery, { email: BEA })).halves)
    const bea = await signIn(rookery, { email: BEA })
    expect((await give(rookery, bea.halves, 'recovery', first)).status).toBe(401)

    const one = await signIn(rookery)
    const typed = ` ${first.toUpperCase().replaceAll('-', ' ')}`
    expect((await give(rookery, one.halves, 'recovery', typed)).status).toBe(200)
    const two = await signIn(rookery)
    expect((await give(rookery, two.halves, 'recovery', first)).status).toBe(401)
    const three = await signIn(rookery)
    const both = await Promise.all([
      give(rookery, two.halves, 'recovery', second),
      give(rookery, three.halves, 'recovery', second),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    const won = both.find(({ status }) => status === 200)?.halves ?? {}
    expect((await askAs(rookery, won, 'GET', '/me/factors')).json).toMatchObject({ recovery_codes: 8 })
    const anew = await askAs(rookery, won, 'POST', '/me/recovery_codes')
    expect(anew.json['recovery_codes']).toHaveLength(10)
    const four = await signIn(rookery)
    expect((await give(rookery, four.halves, 'recovery', codes[5] ?? '')).status).toBe(401)
    const kept = JSON.stringify(
      await rookery.console.base.reader.selectFrom('recovery_code').selectAll().execute(),
    )
    for (const code of codes) expect(kept).not.toContain(code.replaceAll('-', ''))
  })

  it('codes that are guessed are slowed, from one network and from all together', async () => {
    const clock = manualClock()
    const env = { ROOKERY_TRUSTED_PROXIES: '127.0.0.1/32' }
    const rookery = await openTestConsole({ engine, env, world: { clock } })
    await addPerson(rookery)
    const { halves } = await signIn(rookery)
    const { secret, codes } = await addApp(rookery, halves)
    const { passkey } = await addPasskey(rookery, halves)
    const pending = (await signIn(rookery)).halves
    const guess = (network: number, path = 'totp', code = '000000') =>
      askAs(
        rookery,
        pending,
        'POST',
        `/session/${path}`,
        { code },
        { 'X-Forwarded-For': `192.0.${network}.1` },
      )
    const tries = await Promise.all(Array.from({ length: 15 }, () => guess(1)))
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(5)
    expect((await guess(1, 'totp', codeAt(rookery, secret))).status).toBe(429)
    for (let n = 0; n < 20; n++) expect((await guess(2 + (n % 4))).status).toBe(401)
    expect((await guess(9, 'totp', codeAt(rookery, secret))).status).toBe(429)
    expect((await guess(1, 'recovery', codes[0])).status).toBe(429)
    // Nobody guesses a recovery code, nor a signature: the owner gets in with one, and by a passkey, also from here.
    expect((await guess(9, 'recovery', codes[0])).status).toBe(200)
    clock.advance(1)
    expect((await usePasskey(rookery, passkey)).status).toBe(200)
    clock.advance(10 * MINUTE_MS + 1)
    const again = await signIn(rookery)
    expect((await give(rookery, again.halves, 'totp', codeAt(rookery, secret))).status).toBe(200)
  })

  it('who is disabled is out at once, with every factor, and also between the two steps', async () => {
    const { rookery, halves } = await openWithAnn(engine)
    await addPerson(rookery, BEA)
    const { secret } = await addApp(rookery, halves)
    const { passkey } = await addPasskey(rookery, halves)
    const pending = (await signIn(rookery)).halves
    await rookery.api.users.disable({ email: ANN })
    expect(await reads(rookery, halves)).toBe(401)
    expect((await give(rookery, pending, 'totp', codeAt(rookery, secret))).status).toBe(401)
    expect((await usePasskey(rookery, passkey)).status).toBe(401)
    expect((await signIn(rookery)).status).toBe(401)
    await rookery.api.users.remove({ email: ANN })
    for (const table of ['totp', 'passkey', 'recovery_code'] as const)
      expect(await rookery.console.base.reader.selectFrom(table).selectAll().execute()).toEqual([])
  })
})

describe.each(engines)('a person who lost their factors (%s)', (engine) => {
  it('signs in by the password alone once an admin removed them; every session ends', async () => {
    const { rookery, halves } = await openWithAnn(engine)
    await addPerson(rookery, BEA, { access_level: 'user' })
    const bea = (await signIn(rookery, { email: BEA })).halves
    await addApp(rookery, bea)
    await addPasskey(rookery, bea)
    const pending = (await signIn(rookery, { email: BEA })).halves
    const remove = (who: Halves, email = BEA) => askAs(rookery, who, 'POST', '/user/reset_factors', { email })
    expect((await remove(bea)).status).toBe(403)
    const { status, json } = await remove(halves)
    expect([status, json['user']]).toMatchObject([200, { totp_enabled: false, webauthn_enabled: false }])
    for (const who of [bea, pending])
      expect((await askAs(rookery, who, 'GET', '/session')).json).toMatchObject({
        needs_factor: false,
        me: null,
      })
    for (const table of ['totp', 'passkey', 'recovery_code'] as const)
      expect(await rookery.console.base.reader.selectFrom(table).selectAll().execute()).toEqual([])
    const again = await signIn(rookery, { email: BEA })
    expect([again.json['needs_factor'], await reads(rookery, again.halves)]).toEqual([false, 200])
    expect((await trail(rookery))[1]).toMatch(
      /^ann@example\.com: Remove the second factors .*bea@example\.com/,
    )
    expect((await remove(halves, 'nobody@example.com')).status).toBe(404)
  })
})

describe.each(engines)('a second factor for all (%s)', (engine) => {
  it('who has none must add one first, and reads nothing before', async () => {
    // The clock of the machine turns the bell of the stream.
    const rookery = await openTestConsole({ engine })
    await addPerson(rookery)
    const { halves } = await signIn(rookery)
    await addPerson(rookery, BEA, { access_level: 'user' })
    await rookery.api.users.assign({ email: BEA, flock_id: 'flock:default', role: 'watcher' })
    const bea = (await signIn(rookery, { email: BEA })).halves
    const require = (who: Halves) =>
      askAs(rookery, who, 'POST', '/settings/sign_in', { second_factor_required: true })
    expect((await require(halves)).status).toBe(409)
    const stream = (await openAs(rookery, bea, 'GET', '/live')).body!.pipeThrough(new TextDecoderStream())
    const { secret } = await addApp(rookery, halves)
    expect((await require(halves)).status).toBe(200)
    // Sessions that are open stand under the rule at once, and so do streams.
    expect([await reads(rookery, bea), await reads(rookery, halves)]).toEqual([401, 200])
    let heard = ''
    for await (const piece of stream) heard += piece
    expect(heard).toContain('event: signed-out')

    const signed = await signIn(rookery, { email: BEA })
    expect(signed.json).toMatchObject({ needs_factor: false, must_add_factor: true })
    expect((await askAs(rookery, signed.halves, 'GET', '/session')).json).toMatchObject({
      signed_in: false,
      must_add_factor: true,
      me: { email: BEA, watched_flocks: [] },
    })
    for (const path of ['/incidents/rows', '/me/sessions', '/me/preferences', '/me/factors'])
      expect([path, (await askAs(rookery, signed.halves, 'GET', path)).status]).toEqual([path, 401])
    await addApp(rookery, signed.halves)
    expect(await reads(rookery, signed.halves)).toBe(200)
    expect((await askAs(rookery, signed.halves, 'GET', '/session')).json).toMatchObject({
      me: { watched_flocks: ['flock:default'] },
    })
    const last = await askAs(rookery, halves, 'POST', '/me/totp/remove')
    expect([last.status, last.json['message']]).toEqual([
      409,
      expect.stringContaining('add another one first'),
    ])
    const pending = (await signIn(rookery)).halves
    expect((await give(rookery, pending, 'totp', codeAt(rookery, secret))).status).toBe(200)
  })

  it('who accepts an invitation must add one, too, and reads nothing before', async () => {
    const { rookery, halves } = await openWithAnn(engine)
    await addApp(rookery, halves)
    await rookery.post('/settings/sign_in', { second_factor_required: true })
    const role = { flock_id: 'flock:default', role: 'watcher' } as const
    const { url } = await rookery.api.users.invite({ email: BEA, ...role })
    const use = await askAs(rookery, {}, 'POST', '/ticket/use', {
      code: new URL(url).hash.slice(1),
      password: PASSWORD,
    })
    expect(use.json).toMatchObject({ must_add_factor: true, me: { email: BEA, watched_flocks: [] } })
    expect(await reads(rookery, use.halves)).toBe(401)
    await addApp(rookery, use.halves)
    expect(await reads(rookery, use.halves)).toBe(200)
  })

  it('who chose a new password by a link signs in with it and the second factor', async () => {
    const { rookery, halves } = await openWithAnn(engine)
    const { secret } = await addApp(rookery, halves)
    const { url } = await rookery.api.users.resetLink({ email: ANN })
    const password = 'heron under the lighthouse'
    const used = await askAs(rookery, {}, 'POST', '/ticket/use', {
      code: new URL(url).hash.slice(1),
      password,
    })
    expect([used.status, used.json['page_half'], used.json['me']]).toEqual([200, null, null])
    expect(await reads(rookery, halves)).toBe(401)
    const pending = await signIn(rookery, { password })
    expect(pending.json['needs_factor']).toBe(true)
    expect(await reads(rookery, pending.halves)).toBe(401)
    expect((await give(rookery, pending.halves, 'totp', codeAt(rookery, secret))).status).toBe(200)
  })

  it('how long sessions last is set, and read back', async () => {
    const { clock, rookery, halves } = await openWithAnn(engine)
    expect((await rookery.get('/settings/sign_in')).json).toMatchObject({
      second_factor_required: false,
      idle_minutes: 720,
      longest_hours: 168,
    })
    expect((await rookery.post('/settings/sign_in', { idle_minutes: 4 })).status).toBe(400)
    expect((await rookery.post('/settings/sign_in', { longest_hours: 721 })).status).toBe(400)
    await rookery.post('/settings/sign_in', { idle_minutes: 5, longest_hours: 1 })
    expect(await reads(rookery, halves)).toBe(200)
    await rookery.console.base.writer.idle()
    clock.advance(5 * MINUTE_MS)
    expect(await reads(rookery, halves)).toBe(401)
    const { halves: busy, headers } = await signIn(rookery)
    expect(headers.get('set-cookie')).toContain('Max-Age=3600;')
    for (let minutes = 0; minutes < 56; minutes += 4) {
      expect([minutes, await reads(rookery, busy)]).toEqual([minutes, 200])
      await rookery.console.base.writer.idle()
      clock.advance(4 * MINUTE_MS)
    }
    clock.advance(4 * MINUTE_MS)
    expect(await reads(rookery, busy)).toBe(401)
  })
})

describe('two consoles on one PostgreSQL', () => {
  it('a step, a recovery code and a signature count once for both', async () => {
    const clock = manualClock()
    const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
    const [one, other] = [
      await openTestConsole({ env, world: { clock } }),
      await openTestConsole({ env, world: { clock } }),
    ]
    await addPerson(one)
    await addPerson(one, BEA)
    const { halves } = await signIn(one)
    const { secret, codes } = await addApp(one, halves)
    for (const [path, code] of [
      ['totp', codeAt(one, secret)],
      ['recovery', codes[0] ?? ''],
      ['recovery', codes[1] ?? ''],
      ['recovery', codes[2] ?? ''],
    ] as const) {
      const [a, b] = [await signIn(one), await signIn(other)]
      const both = await Promise.all([give(one, a.halves, path, code), give(other, b.halves, path, code)])
      expect([path, both.map(({ status }) => status).toSorted()]).toEqual([path, [200, 401]])
    }
    clock.advance(1)
    const { halves: own } = await signIn(one, { email: BEA })
    const { passkey } = await addPasskey(one, own)
    const options = await optionsOf(one, {}, '/session/passkey/options')
    const response = signWith(passkey, options, originOf(one))
    // Both stand behind one name.
    const both = await Promise.all(
      [one, other].map((it) => askAs(it, {}, 'POST', '/session/passkey/verify', { response }, atName(one))),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })
})
