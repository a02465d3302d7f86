// The marks that audit trail and change alerts depend on (operation.ts, fields.ts): a forgotten one fails here.
import { describe, expect, it } from 'vitest'
import { actionType } from './action-type.ts'
import { groups } from './groups.gen.ts'
import { get, Nothing, type Group, type Operation, type Reach } from './operation.ts'

const everyGroup: Readonly<Record<string, Group>> = groups
const operations = Object.values(everyGroup).flatMap((group) => Object.values(group))
const changing = operations.filter(({ changes }) => changes)
const nameOf = ({ method, path }: Operation): string => `${method} ${path}`

/** Changes that are no settings: incidents, tokens and factories, registration of Birds, notes, tests. */
const NO_SETTING = [
  /^\/incidents?\//,
  /^\/decoytokens?\//,
  /^\/device\/(bulk_)?(cancel_commission|assign_pending)$/,
  /^\/device\/(commission|decommission|reboot|update)$/,
  /^\/(share|webroot)upload\//,
  /^\/flock\/(create|delete)$/,
  /^\/flock\/note\//,
  /^\/enrolment\//,
  /^\/vm[ab]decoy\//,
  /^\/deliver(y|ies)\/replay$/,
  /\/test$/,
  /^\/me\//,
]

const SOUNDS_SECRET = /password|passphrase|secret|credential|(^|_)auth$|^(auth_)?token$|^headers$/

describe('the marks of operations', () => {
  it('say whose settings a change changes, unless it changes no setting', () => {
    const unclear = changing.filter(
      ({ path, settings }) => (settings !== undefined) === NO_SETTING.some((pattern) => pattern.test(path)),
    )
    expect(unclear.map(nameOf)).toEqual([])
  })

  it('are on operations that name the Flock or the Bird by the parameter that the console reads', () => {
    for (const operation of changing) {
      const names = Object.keys(operation.params.properties)
      if (operation.settings === 'flock') expect(names, nameOf(operation)).toContain('flock_id')
      if (operation.settings === 'device')
        expect(
          names.some((name) => name === 'node_id' || name === 'node_ids'),
          nameOf(operation),
        ).toBe(true)
    }
  })

  it('are not on operations that only read', () => {
    expect(operations.filter(({ method, settings }) => method === 'GET' && settings).map(nameOf)).toEqual([])
  })

  it('ask for another proof of oneself before keys, people, secrets and second factors', () => {
    const guarded = [
      /^\/(auth_token|token)\//,
      /^\/settings\/(api\/|sign_in$|retention$)/,
      /^\/flock\/settings\/retention$/,
      /^\/user\/(create|update|disable|enable|delete|invite|reset_link|reset_factors|end_sessions|flock\/)/,
      /^\/flock\/settings\/webhooks\/(generic\/add|info|siem)$/,
      /^\/decoytoken\/(create_factory|list_factories)$/,
      /^\/me\/(totp\/|passkeys\/|recovery_codes$|sessions\/end$)/,
    ]
    const reads = ['GET /settings/sign_in', 'GET /settings/retention', 'GET /flock/settings/retention']
    const expected = operations.filter(
      (it) => guarded.some((pattern) => pattern.test(it.path)) && !reads.includes(nameOf(it)),
    )
    expect(operations.filter(({ stepUp }) => stepUp).map(nameOf)).toEqual(expected.map(nameOf))
  })

  it('let a session without its factor call what gives or adds one, and nothing else', () => {
    const of = (which: string) =>
      operations.filter(({ sessions }) => sessions === which).map(({ path }) => path)
    expect(of('any').every((path) => /^\/session($|\/)/.test(path))).toBe(true)
    expect(of('enrolling')).toEqual([
      '/me/totp/begin',
      '/me/totp/confirm',
      '/me/passkeys/options',
      '/me/passkeys/add',
      '/session/step_up',
    ])
  })

  it('are on every parameter that sounds like a secret', () => {
    const bare = changing.flatMap((operation) =>
      Object.entries(operation.params.properties as Readonly<Record<string, object>>)
        .filter(([name, schema]) => SOUNDS_SECRET.test(name) && !('secret' in schema))
        .map(([name]) => `${nameOf(operation)} ${name}`),
    )
    expect(bare).toEqual([])
  })
})

/** Which person or pending Bird it is about is the console's. */
const OF_THE_CONSOLE = /^\/(user\/flock\/|user\/invite|device\/(commission|(bulk_)?assign_pending)$)/

describe('the reach of an operation', () => {
  it('is not that of the console where it names a Flock, a Bird or a token', () => {
    const wrong = operations.filter(
      ({ reach, path, params: { properties } }) =>
        reach === 'console' &&
        ['flock_id', 'decoytoken'].some((name) => name in properties) &&
        !OF_THE_CONSOLE.test(path),
    )
    expect(wrong.map(nameOf)).toEqual([])
  })

  it('is that of the console where it changes its settings', () => {
    const wrong = changing.filter(({ settings, reach }) => settings === 'console' && reach !== 'console')
    expect(wrong.map(nameOf)).toEqual([])
  })

  it('is never forgotten', () => {
    expect(() => get('/new', 'read-only', 'Read what is new' as Reach, 'x', {}, Nothing)).toThrow(
      "GET /new does not say its reach: behind its role stands 'flock' or 'console' or 'everybody'",
    )
  })
})

describe('an action', () => {
  it('has the names of its group and its operation', () => {
    for (const operation of operations)
      expect(actionType(operation)).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/)
    expect(actionType(groups.flockNotes.add)).toBe('flock_notes.add')
    expect(() => actionType({ ...groups.flockNotes.add })).toThrow('is in no group')
  })

  it('has the same name under its deprecated path', () => {
    expect(actionType(groups.apiKeys.addOld)).toBe(actionType(groups.apiKeys.add))
  })
})
