// The OpenAPI document as other people's tools read it. That every answer of every example keeps to it: examples.test.ts.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openTestConsole } from './test-console.ts'
import { brokenByDocument, brokenByError } from './openapi-judge.ts'

interface Served {
  readonly openapi: string
  readonly paths: Record<string, Record<string, { deprecated?: boolean; responses: Record<string, unknown> }>>
}

it('the document that a console serves is one of OpenAPI 3.1', async () => {
  const rookery = await openTestConsole()
  const document = (await rookery.get('/openapi.json', {}, null)).json as unknown as Served
  expect(await brokenByDocument(document)).toEqual([])
  // The judge can tell.
  const [first = ''] = Object.keys(document.paths)
  expect(await brokenByDocument({ ...document, openapi: '4.0.0' })).not.toEqual([])
  const { [first]: path, ...others } = document.paths
  const worse = { ...document, paths: { ...others, [first]: { ...path, get: { responses: { ok: {} } } } } }
  expect(await brokenByDocument(worse)).not.toEqual([])
})

it('it calls deprecated what the specification calls deprecated, and nothing else', async () => {
  const rookery = await openTestConsole()
  const { paths } = (await rookery.get('/openapi.json', {}, null)).json as unknown as Served
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { deprecated }]) => deprecated)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  const lines = readFileSync(new URL('../../contract/src/operations.tsv', import.meta.url), 'utf8').split(
    '\n',
  )
  const specified = lines
    .map((line) => line.split('\t'))
    .filter(([, , , flags]) => flags === 'deprecated')
    .map(([, method = '', path = '']) => `${method} ${path}`)
  const served = specified.filter((name) => {
    const [method = '', path = ''] = name.split(' ')
    return paths[path]?.[method.toLowerCase()] !== undefined
  })
  expect(described.sort()).toEqual(served.sort())
  expect(described.length).toBeGreaterThan(3)
})

it('errors of every kind are what the document says of them', async () => {
  const rookery = await openTestConsole()
  const answers = [
    await rookery.get('/ping', {}, null),
    await rookery.get('/flock/note', { flock_id: 'flock:none' }),
    await rookery.get('/flock/note'),
    await rookery.get('/incidents/all', { limit: 'many', tz: 'Nowhere/Land' }),
    await rookery.get('/nothing'),
    await rookery.call('DELETE', '/ping'),
    await rookery.call('DELETE', '/incident/delete', { incident: 'incident:none' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 404, 400, 400, 404, 405, 404])
  for (const { json } of answers) expect(await brokenByError(json)).toEqual([])
})
