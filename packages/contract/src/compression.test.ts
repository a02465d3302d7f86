import Type from 'typebox'
import { expect, it } from 'vitest'
import { mayBeCompressed } from './compression.ts'
import { groups } from './groups.gen.ts'
import { get, post, type Operation } from './operation.ts'

const all = Object.values(groups).flatMap((group) => Object.values<Operation>(group))
const paths = all.filter(mayBeCompressed).map(({ path }) => path)

it('long lists without secrets may be compressed', () => {
  expect(paths).toEqual(
    expect.arrayContaining(['/devices/all', '/devices/live', '/audit_trail/fetch', '/deliveries/list']),
  )
})

it('what shows keys, tokens, addresses of receivers, settings or captured passwords is not', () => {
  const secret = [
    ...['/auth_token/list', '/auth_token/add', '/enrolment/create', '/decoytoken/list_factories'],
    ...['/decoytoken/create', '/decoytoken/fetch', '/decoytokens/paginate', '/decoytokens/channels'],
    ...['/flock/settings/webhooks/generic/list', '/flock/settings/webhooks/siem', '/device/info'],
    ...['/incidents/all', '/incident/fetch', '/incidents/search'],
  ]
  expect(all.map(({ path }) => path)).toEqual(expect.arrayContaining(secret))
  expect(paths.filter((path) => secret.includes(path))).toEqual([])
})

it('a secret is found at every depth, and a flag about one is none', () => {
  const answering = (answer: Parameters<typeof get>[5]) =>
    mayBeCompressed(get('/a', 'read-only', 'flock', 'Read', {}, answer))
  const deep = Type.Object({ password: Type.String() })
  expect(answering(Type.Object({ name: Type.String(), secret: Type.Boolean() }))).toBe(true)
  expect(answering(Type.Object({ all: Type.Array(Type.Object({ one: Type.Optional(deep) })) }))).toBe(false)
  expect(answering(Type.Object({ all: Type.Record(Type.String(), Type.Union([Type.Null(), deep])) }))).toBe(
    false,
  )
  expect(mayBeCompressed(post('/a', 'read-only', 'flock', 'Write', {}, Type.Object({})))).toBe(false)
})
