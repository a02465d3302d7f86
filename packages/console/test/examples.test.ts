// Every example of every operation, sent to a real console: what the reference shows can be copied.
import { fillExample, standInsOf } from '@rookery/contract/examples.ts'
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Example, Group, Operation } from '@rookery/contract/operation.ts'
import Type, { type TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EngineName } from '../src/db/query.ts'
import { originOf } from './factors.ts'
import { openExemplary, calledAs, isForPeople, tidyUp } from './exemplary.ts'
import { ADMIN, engines, textOf, type TestConsole } from './test-console.ts'
import { brokenByAnswer } from './openapi-judge.ts'
import { plantAgain } from './seed.ts'

const everyGroup: Readonly<Record<string, Group>> = groups

type Encoding = 'form' | 'JSON'

/** How a request is spelt is over before a database is asked: one of them is enough for the second spelling. */
const encodings = (engine: EngineName, method: Operation['method']): readonly Encoding[] =>
  method === 'GET' || engine === 'postgres' ? ['form'] : ['form', 'JSON']

async function send(
  rookery: TestConsole,
  operation: Operation,
  given: Example,
  as: Encoding,
): Promise<Response> {
  const { method, path, role } = operation
  // Passkeys work at names alone.
  const url = `${path.includes('passkey') ? originOf(rookery) : rookery.console.apiUrl}/api/v1${path}`
  // A factory's key is in the parameters; it comes without an API key.
  const person = isForPeople(operation) ? await calledAs(rookery, operation, given) : undefined
  const params = person?.params ?? given
  const headers: Record<string, string> =
    person !== undefined
      ? person.headers
      : role === 'nobody' || (role === 'factory' && 'factory_auth' in params)
        ? {}
        : { 'X-Auth-Token': ADMIN }
  const form = new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  )
  if (method === 'GET') return fetch(form.size > 0 ? `${url}?${form.toString()}` : url, { headers })
  if (as === 'form') return fetch(url, { method, headers, body: form })
  const json = { ...headers, 'Content-Type': 'application/json' }
  return fetch(url, { method, headers: json, body: JSON.stringify(params) })
}

/** The answer's schema, which refuses every field that it does not name. */
function strict(schema: TSchema): TSchema {
  const { properties, items, patternProperties, anyOf, additionalProperties } = schema as {
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly items?: TSchema
    readonly patternProperties?: Readonly<Record<string, TSchema>>
    readonly anyOf?: readonly TSchema[]
    readonly additionalProperties?: boolean
  }
  const each = (fields: Readonly<Record<string, TSchema>>): Record<string, TSchema> =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, strict(field)]))
  return {
    ...schema,
    ...(properties && {
      properties: each(properties),
      additionalProperties: additionalProperties ?? false,
    }),
    ...(items && { items: strict(items) }),
    ...(patternProperties && { patternProperties: each(patternProperties) }),
    ...(anyOf && { anyOf: anyOf.map(strict) }),
  }
}

const validators = new Map<Operation, Validator>()

function strictValidator(operation: Operation): Validator {
  const known = validators.get(operation)
  if (known) return known
  const { answer } = operation
  const { properties } = answer as { properties?: Record<string, TSchema> }
  const made = Compile(strict({ ...answer, properties: { result: Type.Literal('success'), ...properties } }))
  validators.set(operation, made)
  return made
}

function expectAnswer(operation: Operation, given: object): void {
  const { path } = operation
  const errors = strictValidator(operation).Errors(given)
  expect(errors.map(({ instancePath, message }) => `${path} ${instancePath} ${message}`)).toEqual([])
}

describe.each(engines)('on a console with one of each thing (%s)', (engine) => {
  let rookery: TestConsole
  let seed: Example = {}
  let spentBy: string | undefined
  beforeAll(async () => {
    rookery = await openExemplary(engine, 'group')
  })

  it.each(Object.entries(everyGroup))(
    'the examples of %s work, as forms and as JSON',
    async (_name, group) => {
      const operations = Object.values(group)
      seed = await plantAgain(
        rookery,
        seed,
        operations.flatMap(({ example }) => standInsOf(example)),
        spentBy,
      )
      spentBy = undefined
      for (const operation of operations) {
        const { method, path, example, answers } = operation
        for (const encoding of encodings(engine, method)) {
          if (spentBy !== undefined) seed = await plantAgain(rookery, seed, standInsOf(example), spentBy)
          const params = fillExample(example, seed)
          // A mere switch takes nothing away.
          spentBy = method !== 'GET' && Object.keys(params).length > 0 ? path : undefined
          const response = await send(rookery, operation, params, encoding)
          const text = await textOf(response)
          const message = `${method} ${path} as ${encoding}: ${text}`
          expect(response.status, message).toBe(200)
          if (answers === 'file' && response.headers.has('content-disposition')) {
            // No address of the seed may leave.
            if (path !== '/sources/list') expect(text, message).not.toBe('')
          } else if (answers === 'events') {
            expect(text, message).toBe(': live\n\n')
          } else {
            const answer = JSON.parse(text) as object
            expectAnswer(operation, answer)
            expect(await brokenByAnswer(method, path, answer), message).toEqual([])
          }
          await tidyUp(rookery, path, params)
        }
      }
    },
    // A seed is dozens of calls, and a busy machine has little time for each.
  )
})
