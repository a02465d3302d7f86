import { expect, it, describe } from 'vitest'
import { addPerson, ANN, askAs, openAs, signIn, type Halves } from '../../../test/person.ts'
import { engines, openTestConsole, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { systemWorld } from '../../world/system.ts'

const HOUR_MS = 3_600_000
const WRONG = 'The address or the password is not right.'

/** The status of a call that any signed-in admin may make. */
const reads = async (rookery: TestConsole, halves: Halves): Promise<number> =>
  (await askAs(rookery, halves, 'GET', '/incidents/rows')).status

const trail = async (rookery: TestConsole): Promise<string[]> => {
  const { json } = await rookery.get('/audit_trail/fetch')
  const rows = json['audit_trail'] as unknown as { action_type: string; user: string; message: string }[]
  return rows.map(({ user, message }) => `${user}: ${message}`)
}

describe.each(engines)('signing in and out (%s)', (engine) => {
  const rookery = ownTestConsole({ engine, env: { ROOKERY_TRUSTED_PROXIES: '127.0.0.1/32' } })

  it('the address and the password open a session of two halves, until it is ended', async () => {
    await addPerson(rookery)
    const { status, json, headers, halves } = await signIn(rookery, { email: ` ${ANN.toUpperCase()} ` })
    expect([status, json['needs_factor'], json['me']]).toEqual([
      200,
      false,
      {
        user_id: expect.stringMatching(/^user:/) as string,
        email: ANN,
        access_level: 'admin',
        managed_flocks: [],
        watched_flocks: [],
      },
    ])
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-rookery=[0-9a-f]{64}; Max-Age=604800; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
    const state = await askAs(rookery, halves, 'GET', '/session')
    expect(state.json).toMatchObject({ signed_in: true, needs_setup: false, me: json['me'] })
    expect(await reads(rookery, halves)).toBe(200)

    const out = await askAs(rookery, halves, 'POST', '/session/end')
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      200,
      '__Host-rookery=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict',
    ])
    expect(await reads(rookery, halves)).toBe(401)
    expect((await askAs(rookery, halves, 'POST', '/session/end')).status).toBe(401)
    expect((await askAs(rookery, halves, 'GET', '/session')).json).toMatchObject({
      signed_in: false,
      me: null,
      console: { public_url: null, tokens_url: null },
    })
    expect((await trail(rookery)).slice(0, 2)).toEqual([
      `${ANN}: Signed out.`,
      `${ANN}: Signed in with a password.`,
    ])
  })

  it('neither half is worth anything alone, nor with the half of another session', async () => {
    await addPerson(rookery)
    const [{ halves: one }, { halves: other }] = [await signIn(rookery), await signIn(rookery)]
    for (const halves of [
      {},
      { cookie: one.cookie },
      { page: one.page },
      { cookie: one.cookie, page: other.page },
      { cookie: other.cookie, page: one.page },
      { cookie: one.page, page: one.cookie },
      { cookie: one.cookie, page: 'x' },
    ])
      expect([halves, await reads(rookery, halves)]).toEqual([halves, 401])
    // Of two cookies, one planted by another port of the host, the first counts; two page halves are none.
    const twice = (names: readonly (string | undefined)[]): string =>
      names.map((half) => `__Host-rookery=${half}`).join('; ')
    for (const [headers, status] of [
      [{ Cookie: twice([one.cookie, other.cookie]) }, 200],
      [{ Cookie: twice([other.cookie, one.cookie]) }, 401],
      [{ Cookie: twice(['x', one.cookie]) }, 401],
      [{ 'X-Rookery-Page': `${one.page}, ${one.page}` }, 401],
    ] as const)
      expect([headers, (await askAs(rookery, one, 'GET', '/incidents/rows', {}, headers)).status]).toEqual([
        headers,
        status,
      ])
    expect([await reads(rookery, one), await reads(rookery, other)]).toEqual([200, 200])
    const stored = JSON.stringify(
      await rookery.console.base.reader.selectFrom('session').selectAll().execute(),
    )
    for (const half of [one.cookie, one.page, other.cookie, other.page]) expect(stored).not.toContain(half)
  })

  it('a half that was planted before is worth nothing after signing in, and the session before it ends', async () => {
    await addPerson(rookery)
    const { halves: planted } = await signIn(rookery)
    const { halves: own } = await signIn(rookery, { halves: planted })
    expect([own.cookie === planted.cookie, own.page === planted.page]).toEqual([false, false])
    for (const halves of [planted, { ...own, cookie: planted.cookie }, { ...own, page: planted.page }])
      expect(await reads(rookery, halves)).toBe(401)
    expect(await reads(rookery, own)).toBe(200)
  })

  it('an unknown address, a wrong password and one who may not use a password get the same words', async () => {
    await addPerson(rookery)
    await addPerson(rookery, 'sso@example.com', { no_direct_login: 1 })
    const asked = [
      { email: 'nobody@example.com' },
      { password: 'plover behind the dunes' },
      { password: 'k' },
      { email: 'sso@example.com' },
    ]
    for (const attempt of asked) {
      const { status, json, headers } = await signIn(rookery, attempt)
      expect([status, json['message'], headers.get('set-cookie')]).toEqual([401, WRONG, null])
    }
    const failed = 'Sign-in failed: wrong address or password.'
    expect((await trail(rookery)).slice(0, 4)).toEqual([
      `sso@example.com: ${failed}`,
      `${ANN}: ${failed}`,
      `${ANN}: ${failed}`,
      `: ${failed}`,
    ])
  })

  it('who is no admin reads the Flocks that they watch, changes those that they manage, and no other', async () => {
    const { flock_id: berlin } = await rookery.api.flocks.create({ name: 'Berlin' })
    const { flock_id: plant } = await rookery.api.flocks.create({ name: 'Plant' })
    const email = 'bea@example.com'
    await addPerson(rookery, email, { access_level: 'user' })
    await rookery.api.users.assign({ email, flock_id: berlin, role: 'watcher' })
    await rookery.api.users.assign({ email, flock_id: plant, role: 'manager' })
    const { halves, json: signedIn } = await signIn(rookery, { email })
    expect(signedIn['me']).toMatchObject({ managed_flocks: [plant], watched_flocks: [berlin] })
    const { json } = await askAs(rookery, halves, 'GET', '/flocks/list')
    expect(json['flocks']).toEqual({ [berlin]: 'Berlin', [plant]: 'Plant' })
    const add = async (flock_id: string): Promise<unknown[]> => {
      const { status, json } = await askAs(rookery, halves, 'POST', '/flock/note/add', {
        flock_id,
        note: 'x',
      })
      return [status, json['message']]
    }
    expect((await add(plant))[0]).toBe(200)
    expect(await add(berlin)).toEqual([403, `You watch Flock ${berlin}; only who manages it can do this.`])
    expect(await add('flock:default')).toEqual([403, 'You have no access to Flock flock:default.'])
    expect(await add('flock:nowhere')).toEqual([403, 'You have no access to Flock flock:nowhere.'])
    const { status, json: refused } = await askAs(rookery, halves, 'POST', '/flock/create', { name: 'x' })
    expect([status, refused['message']]).toEqual([403, expect.stringContaining('Only admins can do this')])
    expect((await trail(rookery))[0]).toMatch(/^bea@example\.com: /)
    // An enrolment code that names no Flock would be of the default one.
    expect((await askAs(rookery, halves, 'POST', '/enrolment/create')).status).toBe(403)
  })

  it('what is made bears the address of its person', async () => {
    await addPerson(rookery)
    const { halves } = await signIn(rookery)
    const { json } = await askAs(rookery, halves, 'POST', '/decoytoken/create', {
      kind: 'http',
      memo: 'x',
      placement: 'on the share',
    })
    expect(json['decoytoken']).toMatchObject({ placement_by: ANN })
    const made = await rookery.console.base.reader.selectFrom('token').select('created_by').execute()
    expect(made).toEqual([{ created_by: ANN }])
  })

  it('an admin who becomes none has no more reach with the next call', async () => {
    await addPerson(rookery)
    await addPerson(rookery, 'cem@example.com')
    const { halves } = await signIn(rookery)
    await rookery.api.users.update({ email: ANN, access_level: 'user' })
    expect((await askAs(rookery, halves, 'GET', '/users/list')).status).toBe(403)
    expect((await askAs(rookery, halves, 'GET', '/flocks/list')).json['flocks']).toEqual({})
  })

  it('what a person changes stands in the trail under their address, also while the API is off', async () => {
    await addPerson(rookery)
    const { halves } = await signIn(rookery)
    await rookery.post('/settings/api/disable')
    const note = { flock_id: 'flock:default', note: 'Server room' }
    expect((await askAs(rookery, halves, 'POST', '/flock/note/add', note)).status).toBe(200)
    expect((await askAs(rookery, halves, 'POST', '/settings/api/enable')).status).toBe(200)
    expect((await trail(rookery))[1]).toMatch(/^ann@example\.com: .*Server room/)
  })

  it('ten failures of an account from one network slow it there, not elsewhere', async () => {
    await addPerson(rookery)
    const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
    const wrong = (address: string) => signIn(rookery, { password: 'plover', ...from(address) })
    // All at once: none of them is looked at after the tenth.
    const tries = await Promise.all(Array.from({ length: 30 }, () => wrong('192.0.2.7')))
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(20)
    const right = await signIn(rookery, from('192.0.2.7'))
    expect([right.status, Number(right.headers.get('retry-after')) > 500]).toEqual([429, true])
    expect(right.json['message']).toMatch(/^Too many failed sign-ins from 192\.0\.2\.7\. Try again in \d+ s/)
    expect((await signIn(rookery, from('198.51.100.9'))).status).toBe(200)
    await addPerson(rookery, 'bea@example.com')
    expect((await signIn(rookery, { email: 'bea@example.com', ...from('192.0.2.7') })).status).toBe(200)
    // An IPv6 client chooses among the addresses of its /64.
    for (let i = 1; i <= 10; i++) await wrong(`2001:db8::${i}`)
    expect((await wrong('2001:db8::ffff')).status).toBe(429)
  })

  it('a page of another site can neither sign in nor do anything with a session', async () => {
    await addPerson(rookery)
    const { halves } = await signIn(rookery)
    const host = new URL(rookery.console.apiUrl ?? '').host
    for (const headers of [
      { Origin: 'https://evil.example.org' },
      { Origin: 'null' },
      { Origin: `http://${host}.evil.example.org` },
      { Origin: 'http://127.0.0.1:1' },
      // Port 80 of the host, seen from port 443.
      { Origin: `http://${host}`, 'X-Forwarded-Proto': 'https' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      const signed = await signIn(rookery, { headers })
      expect([headers, signed.status, signed.headers.get('set-cookie')]).toEqual([headers, 403, null])
      const deleted = await askAs(rookery, halves, 'POST', '/incidents/delete', {}, headers)
      expect([headers, deleted.status]).toEqual([headers, 403])
    }
    const named = { Host: 'rookery.localhost', Origin: 'http://rookery.localhost' }
    expect((await askAs(rookery, halves, 'POST', '/session/end', {}, named)).status).toBe(200)
  })

  it('a person who is disabled, deleted, or has a new password is out at once, also of an open stream', async () => {
    await addPerson(rookery, 'last@example.com')
    const ends: ((email: string) => Promise<unknown>)[] = [
      (email) => rookery.api.users.disable({ email }),
      (email) => rookery.api.users.update({ email, password: 'plover behind the dunes' }),
      (email) => rookery.api.users.update({ email, no_direct_login: true }),
      (email) => rookery.api.users.remove({ email }),
    ]
    for (const [number, end] of ends.entries()) {
      const email = `ann-${number}@example.com`
      await addPerson(rookery, email)
      const { halves } = await signIn(rookery, { email })
      const stream = (await openAs(rookery, halves, 'GET', '/live')).body!.pipeThrough(
        new TextDecoderStream(),
      )
      const reader = stream.getReader()
      expect((await reader.read()).value).toBe(': live\n\n')
      await end(email)
      expect(await reads(rookery, halves)).toBe(401)
      let heard = ''
      for (let next = await reader.read(); !next.done; next = await reader.read()) heard += next.value
      expect(heard).toMatch(/(?:^|\n\n)event: signed-out\ndata: \{\}\n\n$/)
    }
    const left = await rookery.console.base.reader.selectFrom('session').selectAll().execute()
    expect(left).toEqual([])
    await rookery.api.users.enable({ email: 'ann-0@example.com' })
    expect((await signIn(rookery, { email: 'ann-0@example.com' })).status).toBe(200)
  })

  it('a form that is sent twice opens a session each time', async () => {
    await addPerson(rookery)
    const both = await Promise.all([signIn(rookery), signIn(rookery)])
    for (const { status, halves } of both) expect([status, await reads(rookery, halves)]).toEqual([200, 200])
  })
})

describe.each(engines)('a session in time (%s)', (engine) => {
  it('ends 12 hours after its last call, and 7 days after it began', async () => {
    let ahead = 0
    const { clock: system } = systemWorld({ send: () => Promise.reject(new Error('no outside')) })
    const clock = { ...system, now: () => system.now() + ahead }
    const rookery = await openTestConsole({ engine, world: { clock } })
    await addPerson(rookery)
    const { halves } = await signIn(rookery)
    ahead += 11 * HOUR_MS
    expect(await reads(rookery, halves)).toBe(200)
    await rookery.console.base.writer.idle()
    ahead += 12 * HOUR_MS
    expect(await reads(rookery, halves)).toBe(401)

    const { halves: busy } = await signIn(rookery)
    for (let hours = 0; hours < 7 * 24 - 11; hours += 11) {
      expect([hours, await reads(rookery, busy)]).toEqual([hours, 200])
      await rookery.console.base.writer.idle()
      ahead += 11 * HOUR_MS
    }
    ahead += 11 * HOUR_MS
    expect(await reads(rookery, busy)).toBe(401)
  })
})

describe('over plain HTTP', () => {
  const rookery = ownTestConsole()
  const words =
    'This address is not encrypted, so passwords stay locked. Give the console a certificate (ROOKERY_TLS_LISTEN), or open it at http://127.0.0.1 on its own machine.'

  /** Asked by another name than that of the loopback. */
  const signInAt = (host: string) => signIn(rookery, { headers: { Host: host, Origin: `http://${host}` } })

  it('a password is refused at an address that a network carries, and taken on the loopback', async () => {
    await addPerson(rookery)
    for (const host of [
      'console.example.org',
      '192.0.2.1:8080',
      'localhost.example.org',
      '127.0.0.1.example.org',
    ]) {
      const { status, json } = await signInAt(host)
      expect([host, status, json['message']]).toEqual([host, 403, words])
    }
    for (const host of [
      'localhost',
      'localhost:8080',
      '127.0.0.1',
      '127.9.9.9:1',
      '[::1]:8080',
      'rookery.localhost',
    ])
      expect([host, (await signInAt(host)).status]).toEqual([host, 200])
  })
})
