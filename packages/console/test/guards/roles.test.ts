// Who may call what, asked of the running console for every operation of the contract and every kind of key. The
// expectations come from the contract's roles alone, so that an operation mounted without its check cannot hide.
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Group, Operation, Role } from '@rookery/contract/operation.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { writeSetting } from '../../src/stores/settings/store.ts'
import { systemWorld } from '../../src/world/system.ts'
import { ADMIN, openTestConsole, type Answer, type TestConsole } from '../test-console.ts'

/** Which key types each role lets in. */
const ADMITS: Record<Role, readonly string[]> = {
  nobody: ['factory', 'indicators', 'read-only', 'analyst', 'admin'],
  person: [],
  any: ['factory', 'indicators', 'read-only', 'analyst', 'admin'],
  indicators: ['indicators', 'read-only', 'analyst', 'admin'],
  'read-only': ['read-only', 'analyst', 'admin'],
  analyst: ['analyst', 'admin'],
  admin: ['admin'],
  factory: ['factory', 'admin'],
}

/** GETs that reveal secrets need an admin; actions on incidents an analyst; reading any key; the rest an admin. */
const REVEALING =
  /\/(auth_token|token)\/(list|download)$|list_factories$|webhooks\/(siem|info)$|update\/fetch$|delivery\/fetch$|upload\/status$|downloadseed$/
const INCIDENT_ACTIONS = /^\/incidents?\/(acknowledge|unacknowledge|delete|undo|comment)$/

const everyGroup: Readonly<Record<string, Group>> = groups
const operations = Object.values(everyGroup).flatMap((group) => Object.values(group))
const nameOf = ({ method, path }: Operation): string => `${method} ${path}`

/** The rest is asked by those who have neither key nor session; a key that comes with it is not looked at. */
const needsKey = ({ role }: Operation): boolean => role !== 'nobody'

/** The first of each role and method. */
const oneOfEach = [
  ...new Map(operations.toReversed().map((it) => [`${it.role} ${it.method}`, it] as const)).values(),
]

const HOUR_MS = 3_600_000
/** Each test makes some thousand calls. */
const TEST_MS = 180_000

describe('the roles of the contract', () => {
  it('are those of the pages on keys', () => {
    const expected = ({ method, path, role }: Operation): Role => {
      if (role === 'factory' || role === 'any' || role === 'indicators') return role
      if (/^\/(session\/(end|step_up)$|me\/)/.test(path)) return 'person'
      if (/^\/(session|ticket)\b/.test(path)) return 'nobody'
      if (INCIDENT_ACTIONS.test(path)) return 'analyst'
      return method === 'GET' && !REVEALING.test(path) ? 'read-only' : 'admin'
    }
    for (const operation of operations)
      expect([nameOf(operation), operation.role]).toEqual([nameOf(operation), expected(operation)])
    expect(operations.filter(({ role }) => role === 'factory').map(({ path }) => path)).toEqual([
      '/decoytoken/factory/create',
      '/decoytoken/factory/download',
    ])
    expect(operations.filter(({ role }) => role === 'indicators').map(({ path }) => path)).toEqual([
      '/sources/list',
    ])
  })
})

// Checks are mounted before a database is asked; the second one shows that it finds the same keys.
describe.each([
  ['every operation', 'sqlite', operations],
  ['an operation of each role', 'postgres', oneOfEach],
] as const)('%s (%s)', (_, engine, asked) => {
  let ahead = 0
  afterEach(() => {
    ahead = 0
  })

  async function openKeyed() {
    const system = systemWorld({ send: () => Promise.reject(new Error('this test has no outside')) })
    const clock = { ...system.clock, now: () => system.clock.now() + ahead }
    const rookery = await openTestConsole({ engine, world: { clock } })
    const add = async (params: Record<string, string>): Promise<string> => {
      const { json } = await rookery.post('/auth_token/add', { note: 'guard', ...params })
      return (json as unknown as { global_api_key: { auth_token: string } }).global_api_key.auth_token
    }
    const factory = await rookery.post('/decoytoken/create_factory', {
      flock_id: 'flock:default',
      memo: 'guard',
    })
    const expires = new Date(clock.now() + HOUR_MS).toISOString().slice(0, 19).replace('T', '-')
    const keys = {
      admitted: {
        indicators: await add({ auth_token_type: 'indicators' }),
        'read-only': await add({ auth_token_type: 'read-only' }),
        analyst: await add({ auth_token_type: 'analyst' }),
        admin: ADMIN,
        factory: (factory.json as unknown as { factory_auth: string }).factory_auth,
      },
      unknown: 'f'.repeat(32),
      malformed: "' OR 1=1 --",
      expired: await add({ auth_token_type: 'admin', expires }),
      elsewhere: await add({ auth_token_type: 'admin', allowed_ip_ranges: '192.0.2.0/24' }),
    }
    ahead = 2 * HOUR_MS
    return { rookery, keys }
  }

  /** No parameters: an admitted caller gets a 400, 404 or an answer, and little is changed. */
  const call = (
    rookery: TestConsole,
    { method }: Operation,
    path: string,
    key: string | null,
  ): Promise<Answer> => rookery.call(method, path, {}, key)

  it('answers each kind of key as its role says', { timeout: TEST_MS }, async () => {
    const { rookery, keys } = await openKeyed()
    for (const operation of asked) {
      for (const path of [operation.path, ...operation.aliases]) {
        for (const [type, key] of Object.entries(keys.admitted)) {
          const { status, json } = await call(rookery, operation, path, key)
          const message = `${nameOf(operation)} with a key of type ${type}: ${status} ${json['message'] ?? ''}`
          if (ADMITS[operation.role].includes(type)) {
            expect([401, 403, 405, 500], message).not.toContain(status)
            expect(String(json['message']), message).not.toMatch(/^There is no/)
          } else expect(status, message).toBe(403)
          // The switch of the whole API.
          if (operation.path === '/settings/api/disable')
            await rookery.console.base.writer.write((tx) => writeSetting(tx, 'api_enabled', 'true'))
        }
      }
    }
  })

  it('refuses a caller without a valid key, and says nothing more', { timeout: TEST_MS }, async () => {
    const { rookery, keys } = await openKeyed()
    for (const operation of asked.filter(needsKey)) {
      for (const path of [operation.path, ...operation.aliases]) {
        for (const [why, key, status] of [
          ['no key', null, 401],
          ['an unknown key', keys.unknown, 401],
          ['a malformed key', keys.malformed, 401],
          ['an expired key', keys.expired, 401],
          ['a key from a wrong address', keys.elsewhere, 403],
        ] as const) {
          // Guessing is slowed down by the minute.
          ahead += 60_000
          const answer = await call(rookery, operation, path, key)
          expect([nameOf(operation), why, answer.status]).toEqual([nameOf(operation), why, status])
          if (status === 401) expect(answer.json['message']).toBe('Invalid auth_token')
        }
      }
    }
  })

  it('takes POST where it takes DELETE, under the same role', { timeout: TEST_MS }, async () => {
    const { rookery, keys } = await openKeyed()
    for (const operation of asked.filter(({ method }) => method === 'DELETE')) {
      for (const [type, key] of Object.entries(keys.admitted)) {
        const { status } = await rookery.post(operation.path, {}, key)
        const message = `POST ${operation.path} with a key of type ${type}`
        if (ADMITS[operation.role].includes(type)) expect([401, 403, 405, 500], message).not.toContain(status)
        else expect(status, message).toBe(403)
      }
    }
  })

  it('shuts every key out while the API is off', { timeout: TEST_MS }, async () => {
    const { rookery, keys } = await openKeyed()
    await rookery.post('/settings/api/disable')
    for (const operation of asked.filter(needsKey)) {
      for (const key of Object.values(keys.admitted)) {
        expect([nameOf(operation), (await call(rookery, operation, operation.path, key)).status]).toEqual([
          nameOf(operation),
          403,
        ])
      }
    }
  })
})
