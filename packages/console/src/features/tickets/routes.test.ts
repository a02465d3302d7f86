import { describe, expect, it } from 'vitest'
import type { Letter } from '@rookery/kernel/world.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { addPerson, ANN, askAs, PASSWORD, signIn, type PersonAnswer } from '../../../test/person.ts'
import {
  engines,
  freshDatabase,
  openTestConsole,
  ownTestConsole,
  type TestConsole,
} from '../../../test/test-console.ts'

const codeOf = ({ console: { setupUrl = '' } }: TestConsole): string => new URL(setupUrl).hash.slice(1)

const use = (
  rookery: TestConsole,
  code: string,
  params: { readonly email?: string; readonly password?: string } = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<PersonAnswer> =>
  askAs(rookery, {}, 'POST', '/ticket/use', { code, email: ANN, password: PASSWORD, ...params }, headers)

const GONE =
  'This link does not work any more. Ask an admin for another; `rookery setup-link` prints one while there is no user.'

describe.each(engines)('the set-up link (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('makes the first person, an admin who is signed in, and works once', async () => {
    const code = codeOf(rookery)
    expect((await askAs(rookery, {}, 'GET', '/session')).json).toMatchObject({ needs_setup: true })
    expect((await askAs(rookery, {}, 'GET', '/ticket/read', { code })).json).toMatchObject({ kind: 'setup' })
    const { status, json, halves } = await use(rookery, code)
    expect([status, json['me']]).toEqual([
      200,
      {
        user_id: expect.any(String) as string,
        email: ANN,
        access_level: 'admin',
        managed_flocks: [],
        watched_flocks: [],
      },
    ])
    expect((await askAs(rookery, halves, 'GET', '/incidents/rows')).status).toBe(200)
    expect((await askAs(rookery, halves, 'GET', '/session')).json).toMatchObject({ needs_setup: false })
    for (const again of [
      await use(rookery, code),
      await use(rookery, code, { email: 'bea@example.com' }),
      await askAs(rookery, {}, 'GET', '/ticket/read', { code }),
    ])
      expect([again.status, again.json['message']]).toEqual([404, GONE])
    const { json: trail } = await rookery.get('/audit_trail/fetch')
    expect(trail['audit_trail']).toMatchObject([
      { user: ANN, message: `Set up the console: email ${ANN}.` },
      { user: 'console' },
    ])
    await rookery.restart()
    expect(rookery.console.setupUrl).toBeUndefined()
  })

  it('is not used up by what is refused', async () => {
    const code = codeOf(rookery)
    expect((await use(rookery, code, { password: 'short' })).status).toBe(400)
    expect((await use(rookery, code, { password: `${ANN}${ANN}` })).status).toBe(400)
    expect((await use(rookery, code, { email: 'ann' })).status).toBe(400)
    expect((await use(rookery, code, {}, { Origin: 'https://evil.example.org' })).status).toBe(403)
    const host = 'console.example.org'
    const plain = await use(rookery, code, {}, { Host: host, Origin: `http://${host}` })
    expect([plain.status, plain.json['message']]).toEqual([
      403,
      expect.stringMatching(
        /^This address is not encrypted, so passwords stay locked\. Give the console/,
      ) as string,
    ])
    expect((await use(rookery, '0'.repeat(32))).status).toBe(404)
    expect((await use(rookery, code)).status).toBe(200)
  })

  it('used twice at once makes one person; the other answer says that it is gone', async () => {
    const code = codeOf(rookery)
    const both = await Promise.all([use(rookery, code), use(rookery, code, { email: 'bea@example.com' })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await rookery.api.users.list()).users).toHaveLength(1)
  })

  it('makes nobody where there is a person already', async () => {
    await addPerson(rookery, 'bea@example.com')
    const { status, json } = await use(rookery, codeOf(rookery))
    expect([status, json['message']]).toEqual([409, 'This console is set up already: sign in.'])
  })

  it('ends after 30 minutes; a restart prints another', async () => {
    const clock = manualClock()
    const waiting = await openTestConsole({ engine, world: { clock } })
    const code = codeOf(waiting)
    clock.advance(30 * 60_000 - 1)
    expect((await askAs(waiting, {}, 'GET', '/ticket/read', { code })).status).toBe(200)
    clock.advance(1)
    expect((await use(waiting, code)).json['message']).toBe(GONE)
    await waiting.restart()
    expect(codeOf(waiting)).not.toBe(code)
    expect((await use(waiting, codeOf(waiting))).status).toBe(200)
  })
})

describe.each(engines)('the links of people (%s)', (engine) => {
  const sent: Letter[] = []
  const rookery = ownTestConsole({
    engine,
    world: { mail: { send: (letter) => (sent.push(letter), Promise.resolve({ refused: [] })) } },
  })
  const BEA = 'bea@example.com'
  const flock_id = 'flock:default'
  const codeIn = (url: string): string => new URL(url).hash.slice(1)
  const choose = (code: string, password = PASSWORD): Promise<PersonAnswer> =>
    askAs(rookery, {}, 'POST', '/ticket/use', { code, password })

  it('an invitation is mailed, works once, and brings in a person with the role that it names', async () => {
    sent.length = 0
    const { url, mailed } = await rookery.api.users.invite({ email: BEA, flock_id, role: 'watcher' })
    expect(url).toMatch(/\/invite#[0-9a-f]{32}$/)
    expect([mailed, sent[0]?.to, sent[0]?.text.includes(url)]).toEqual([true, [BEA], true])
    expect((await signIn(rookery, { email: BEA })).status).toBe(401)
    expect((await askAs(rookery, {}, 'GET', '/ticket/read', { code: codeIn(url) })).json).toMatchObject({
      kind: 'invite',
      email: BEA,
    })
    const { status, json, halves } = await choose(codeIn(url))
    expect([status, json['me']]).toEqual([
      200,
      {
        user_id: expect.any(String) as string,
        email: BEA,
        access_level: 'user',
        managed_flocks: [],
        watched_flocks: [flock_id],
      },
    ])
    expect((await askAs(rookery, halves, 'GET', '/incidents/rows')).status).toBe(200)
    expect((await choose(codeIn(url))).json['message']).toBe(GONE)
    expect((await rookery.post('/user/invite', { email: BEA })).status).toBe(409)
  })

  it('a second invitation takes the place of the first', async () => {
    const first = await rookery.api.users.invite({ email: BEA })
    const second = await rookery.api.users.invite({ email: BEA, flock_id, role: 'manager' })
    expect((await choose(codeIn(first.url))).status).toBe(404)
    expect((await choose(codeIn(second.url))).json['me']).toMatchObject({ managed_flocks: [flock_id] })
  })

  it('a reset link replaces the password, ends every session, and signs nobody in', async () => {
    await addPerson(rookery)
    const { halves } = await signIn(rookery)
    const { url } = await rookery.api.users.resetLink({ email: ANN })
    expect(url).toMatch(/\/reset#[0-9a-f]{32}$/)
    const { status, json, halves: none } = await choose(codeIn(url), 'heron under the lighthouse')
    expect([status, json['page_half'], none.cookie]).toEqual([200, null, undefined])
    expect((await askAs(rookery, halves, 'GET', '/incidents/rows')).status).toBe(401)
    expect((await signIn(rookery)).status).toBe(401)
    expect((await signIn(rookery, { password: 'heron under the lighthouse' })).status).toBe(200)
  })

  it('a link is void once its person is disabled, deleted, or has another password or address', async () => {
    const voids: Readonly<Record<string, () => Promise<unknown>>> = {
      disabled: () => rookery.api.users.disable({ email: BEA }),
      changed: () => rookery.api.users.update({ email: BEA, password: 'heron under the lighthouse' }),
      'changed by themselves': async () => {
        const password = 'heron under the lighthouse'
        const { halves } = await signIn(rookery, { email: BEA, password })
        await askAs(rookery, halves, 'POST', '/me/password', { password, new_password: PASSWORD })
      },
      'mailed to another address': async () => {
        await rookery.api.users.update({ email: BEA, new_email: 'beatrix@example.com' })
        await rookery.api.users.update({ email: 'beatrix@example.com', new_email: BEA })
      },
      deleted: () => rookery.api.users.remove({ email: BEA }),
    }
    await addPerson(rookery, BEA, { access_level: 'user' })
    for (const [why, act] of Object.entries(voids)) {
      const { url } = await rookery.api.users.resetLink({ email: BEA })
      await act()
      expect([why, (await choose(codeIn(url))).status]).toEqual([why, 404])
      if (why === 'disabled') await rookery.api.users.enable({ email: BEA })
    }
  })

  it('ends after its time', async () => {
    const clock = manualClock()
    const waiting = await openTestConsole({ engine, world: { clock } })
    await addPerson(waiting)
    const { url, mailed, mail_reason } = await waiting.api.users.resetLink({ email: ANN })
    expect([mailed, mail_reason]).toEqual([false, expect.stringContaining('ROOKERY_SMTP_URL')])
    clock.advance(3_600_000)
    const { status } = await askAs(waiting, {}, 'GET', '/ticket/read', { code: codeIn(url) })
    expect(status).toBe(404)
  })
})

it('the links of two consoles on one database, used at once, make one person', async () => {
  const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
  const consoles = [await openTestConsole({ env }), await openTestConsole({ env })]
  const answers = await Promise.all(
    consoles.map((rookery, number) => use(rookery, codeOf(rookery), { email: `ann-${number}@example.com` })),
  )
  expect(answers.map(({ status }) => status === 200).sort()).toEqual([false, true])
  expect((await consoles[0]!.api.users.list()).users).toHaveLength(1)
})
