// Who reaches what, asked of the running console: every operation of the contract × every kind of caller. What is expected
// comes from the contract's roles and reaches alone, so a new operation is in it by itself. All things of the examples lie in
// the default Flock ("here"); who has a part in another Flock alone ("elsewhere") must not see, change or guess them.
import { fillExample, STAND_INS, standInsOf, type StandIn } from '@rookery/contract/examples.ts'
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Example, Group, Operation } from '@rookery/contract/operation.ts'
import { SESSION_COOKIE } from '@rookery/kernel/session-cookie.ts'
import { isShort } from '@rookery/kernel/test/size.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EngineName } from '../../src/db/query.ts'
import type { KeyType } from '../../src/stores/keys/tables.ts'
import { changeUser, type UserRow } from '../../src/stores/users/store.ts'
import { openExemplary, tidyUp } from '../exemplary.ts'
import { addPerson, signIn } from '../person.ts'
import { plantAgain } from '../seed.ts'
import { ADMIN, engines, textOf, type TestConsole } from '../test-console.ts'

const HERE = 'flock:default'
const everyGroup: Readonly<Record<string, Group>> = groups
const nameOf = ({ method, path }: Operation): string => `${method} ${path}`

type Headers = Readonly<Record<string, string>>

interface Callers {
  readonly elsewhere: string
  readonly people: Readonly<
    Record<'watcher' | 'manager' | 'managerElsewhere' | 'nothing' | 'admin' | 'disabled', Headers>
  >
  /** Keys of each type, limited to a Flock. */
  readonly here: Readonly<Record<KeyType, Headers>>
  readonly keysElsewhere: Readonly<Record<KeyType, Headers>>
}

interface Reply {
  readonly status: number
  readonly text: string
}

async function send(
  rookery: TestConsole,
  { method, path }: Operation,
  params: Example,
  headers: Headers,
): Promise<Reply> {
  const url = `${rookery.console.apiUrl}/api/v1${path}`
  const form = new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const response =
    method === 'GET'
      ? await fetch(`${url}?${form.toString()}`, { headers })
      : await fetch(url, { method, headers, body: form })
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status: response.status, text: '' }
  }
  return { status: response.status, text: await textOf(response) }
}

async function openCallers(rookery: TestConsole): Promise<Callers> {
  const { flock_id: elsewhere } = await rookery.api.flocks.create({ name: 'Elsewhere' })
  const { base } = rookery.console
  const person = async (name: string, roles: Readonly<Record<string, 'manager' | 'watcher'>>, more = {}) => {
    const user: UserRow = await addPerson(rookery, `${name}@reach.test`, { access_level: 'user', ...more })
    for (const [flock_id, role] of Object.entries(roles))
      await rookery.api.users.assign({ email: user.email, flock_id, role })
    const { halves, json } = await signIn(rookery, { email: user.email })
    expect(json).toMatchObject({ result: 'success' })
    return {
      user,
      headers: { Cookie: `${SESSION_COOKIE}=${halves.cookie ?? ''}`, 'X-Rookery-Page': halves.page ?? '' },
    }
  }
  const of = async (...given: Parameters<typeof person>) => (await person(...given)).headers
  const disabled = await person('disabled', { [HERE]: 'manager' })
  await base.writer.write((tx) => changeUser(tx.query, disabled.user.user_id, { disabled: 1 }))
  const keysOf = async (flock_id: string): Promise<Record<KeyType, Headers>> => {
    const key = (type: KeyType) => limitedKey(rookery, type, flock_id)
    return {
      'decoytoken-deploy': await key('decoytoken-deploy'),
      indicators: await key('indicators'),
      'read-only': await key('read-only'),
      analyst: await key('analyst'),
      admin: await key('admin'),
    }
  }
  return {
    elsewhere,
    people: {
      watcher: await of('watcher', { [HERE]: 'watcher' }),
      manager: await of('manager', { [HERE]: 'manager', [elsewhere]: 'watcher' }),
      managerElsewhere: await of('elsewhere', { [elsewhere]: 'manager' }),
      nothing: await of('nothing', {}),
      admin: await of('admin', {}, { access_level: 'admin' }),
      disabled: disabled.headers,
    },
    here: await keysOf(HERE),
    keysElsewhere: await keysOf(elsewhere),
  }
}

/** The operations make such keys of one type alone; limited ones of the others come with moved consoles. */
async function limitedKey(rookery: TestConsole, type: KeyType, flock_id: string): Promise<Headers> {
  if (type === 'decoytoken-deploy') {
    const { factory_auth } = await rookery.api.tokenFactory.createFactory({ flock_id, memo: 'reach' })
    return { 'X-Auth-Token': factory_auth }
  }
  const { global_api_key: key } = await rookery.api.apiKeys.add({ auth_token_type: type, note: 'reach' })
  await rookery.console.base.writer.write(async (tx) => {
    await tx.query.updateTable('api_key').set({ flock_id }).where('key_id', '=', key.key_id).execute()
    await tx.configChanged()
  })
  return { 'X-Auth-Token': key.auth_token }
}

/** A refusal without the ids that were asked for, and without the number of the request. */
const words = ({ status, text }: Reply, asked: Example): string => {
  const ids = Object.values(asked)
    .map(String)
    .filter((value) => value.length > 3)
  const plain = ids.reduce((now, id) => now.replaceAll(JSON.stringify(id).slice(1, -1), '<id>'), text)
  return `${status} ${plain.replace(/"request_id":"[^"]*"/, '')}`
}

/** Whether an answer of a change says that nothing was changed; the other case is a thing of the caller's own Flock. */
function isOfNothing(text: string): boolean {
  const {
    result: _result,
    action: _action,
    batch_id: _batch,
    ...rest
  } = JSON.parse(text) as Record<string, unknown>
  return Object.values(rest).every(
    (value) => value === 0 || value === '' || value === null || (Array.isArray(value) && value.length === 0),
  )
}

/** What names a thing of here. */
const marksOf = (seed: Example): string[] => [
  HERE,
  ...Object.entries(seed)
    .filter(
      ([name, value]) =>
        !/email|settings|key_id|flock_id|delivery_id|ticket/.test(name) && String(value).length > 7,
    )
    .map(([, value]) => String(value)),
  'Server room, third floor',
  'alerts.example.com',
  'nas-02',
]

/** A factory's key that identifies the caller is not sent: the caller comes by headers. */
const withoutKey = ({ role }: Operation, { factory_auth, ...params }: Example): Example =>
  role === 'factory' || factory_auth === undefined ? params : { ...params, factory_auth }

const readsThere = ({ method, role }: Operation): boolean =>
  method === 'GET' && (role === 'read-only' || role === 'any' || role === 'indicators')
const needsCaller = ({ role }: Operation): boolean => role !== 'nobody' && role !== 'person'

/** Of refused calls the engines know nothing; `npm test` asks one of them, and every fifth group. */
const asked = (engine: EngineName) =>
  Object.entries(everyGroup).filter((_, at) => !isShort || (at + (engine === 'sqlite' ? 0 : 2)) % 5 === 0)

describe.each(engines)('the reach of callers (%s)', (engine) => {
  let rookery: TestConsole
  let callers: Callers
  let seed: Partial<Record<StandIn, string>> = {}

  beforeAll(async () => {
    rookery = await openExemplary(engine, 'group')
    callers = await openCallers(rookery)
  })

  it.each(asked(engine))('in %s is what role and reach say', async (_name, group) => {
    for (const operation of Object.values(group).filter(needsCaller)) {
      seed = await plantAgain(rookery, seed, standInsOf(operation.example))
      await giveRoles(operation)
      const params = fillExample(operation.example, seed)
      await refusesOutsiders(operation, params)
      if (operation.reach === 'console') await refusesLimited(operation, params)
      else {
        await hidesFromElsewhere(operation, params)
        await admits(operation, params)
      }
    }
  })

  it('does not grow by leaving the Flock out: the default one is asked for then', async () => {
    const defaulted = Object.values(everyGroup)
      .flatMap((group) => Object.values(group))
      .filter(({ params }) => (params.properties['flock_id'] as { default?: unknown })?.default === HERE)
    expect(defaulted.map(nameOf)).toContain('POST /decoytoken/create')
    for (const operation of defaulted) {
      const { flock_id: _left, ...params } = fillExample(operation.example)
      for (const headers of [callers.people.managerElsewhere, callers.keysElsewhere.admin]) {
        const { status, text } = await send(rookery, operation, params, headers)
        expect([nameOf(operation), status], text).toEqual([nameOf(operation), 403])
      }
    }
  })

  it.skipIf(isShort)('the cursor of a list shows nothing of another Flock', async () => {
    seed = await plantAgain(
      rookery,
      seed,
      (Object.keys(STAND_INS) as StandIn[]).filter((name) => name !== 'ticket_code'),
    )
    const lists = Object.values(everyGroup)
      .flatMap((group) => Object.values(group))
      .filter(
        ({ reach, method, params }) => reach === 'flock' && method === 'GET' && 'cursor' in params.properties,
      )
    let followed = 0
    for (const operation of lists) {
      const { format: _csv, ...params } = fillExample(operation.example, seed)
      const own = await send(rookery, operation, { ...params, limit: 1 }, { 'X-Auth-Token': ADMIN })
      const { cursor } = JSON.parse(own.text) as { cursor?: { next?: string | null } }
      if (typeof cursor?.next !== 'string') continue
      followed++
      for (const headers of [callers.people.managerElsewhere, callers.keysElsewhere.admin]) {
        const { status, text } = await send(rookery, operation, { limit: 100, cursor: cursor.next }, headers)
        expect([200, 400, 403, 404], `${nameOf(operation)}: ${text}`).toContain(status)
        for (const mark of marksOf(seed)) expect(text, nameOf(operation)).not.toContain(mark)
      }
    }
    expect(followed).toBeGreaterThan(3)
  })

  /** Some examples speak of a Flock of their own. */
  async function giveRoles({ example }: Operation): Promise<void> {
    const { flock_id } = seed
    if (flock_id === undefined || !standInsOf(example).includes('flock_id')) return
    for (const [name, role] of [
      ['watcher', 'watcher'],
      ['manager', 'manager'],
    ] as const)
      await rookery.api.users.assign({ email: `${name}@reach.test`, flock_id, role })
  }

  async function refusesOutsiders(operation: Operation, params: Example): Promise<void> {
    const name = nameOf(operation)
    for (const headers of [{}, callers.people.disabled])
      expect([name, (await send(rookery, operation, withoutKey(operation, params), headers)).status]).toEqual(
        [name, 401],
      )
  }

  /** Everybody but an admin of the whole console. */
  async function refusesLimited(operation: Operation, params: Example): Promise<void> {
    const { admin: _admin, disabled: _disabled, ...people } = callers.people
    const all = {
      ...people,
      ...prefixed('key here', callers.here),
      ...prefixed('key elsewhere', callers.keysElsewhere),
    }
    for (const [who, headers] of Object.entries(all)) {
      const { status, text } = await send(rookery, operation, params, headers)
      expect([nameOf(operation), who, status], text).toEqual([nameOf(operation), who, 403])
    }
  }

  async function hidesFromElsewhere(operation: Operation, params: Example): Promise<void> {
    const given = withoutKey(operation, params)
    // The same call about what is nowhere.
    const nowhere = Object.fromEntries(
      Object.entries(withoutKey(operation, fillExample(operation.example))).map(
        ([name, value]): [string, string | number | boolean] => [
          name,
          value === HERE ? 'flock:0123456789abcdef0123456789abcdef' : value,
        ],
      ),
    )
    const marks = marksOf(seed).filter(
      (mark) =>
        !Object.values(given)
          .map(String)
          .some((value) => value.includes(mark)),
    )
    const { managerElsewhere, nothing } = callers.people
    for (const [who, headers] of Object.entries({ managerElsewhere, nothing, ...callers.keysElsewhere })) {
      const message = `${nameOf(operation)} by ${who}`
      const reply = await send(rookery, operation, given, headers)
      expect([200, 400, 403, 404, 409], `${message}: ${reply.text}`).toContain(reply.status)
      for (const mark of marks) expect(reply.text, message).not.toContain(mark)
      if (operation.method !== 'GET' && operation.changes && reply.status === 200)
        expect(
          isOfNothing(reply.text) || reply.text.includes(callers.elsewhere),
          `${message}: ${reply.text}`,
        ).toBe(true)
      if (operation.reach === 'flock' && Object.keys(given).length > 0 && reply.status !== 200)
        expect(words(reply, given), message).toBe(
          words(await send(rookery, operation, nowhere, headers), nowhere),
        )
    }
  }

  async function admits(operation: Operation, params: Example): Promise<void> {
    const name = nameOf(operation)
    const given = withoutKey(operation, params)
    const { watcher, manager } = callers.people
    const watched = await send(rookery, operation, given, watcher)
    const expected = readsThere(operation) ? 200 : 403
    expect([name, 'watcher', watched.status], watched.text).toEqual([name, 'watcher', expected])
    const managed = await send(rookery, operation, given, manager)
    expect([name, 'manager', managed.status], managed.text).toEqual([name, 'manager', 200])
    await tidyUp(rookery, operation.path, params)
  }
})

const prefixed = (before: string, callers: Readonly<Record<string, Headers>>): Record<string, Headers> =>
  Object.fromEntries(Object.entries(callers).map(([name, headers]) => [`${before} ${name}`, headers]))
