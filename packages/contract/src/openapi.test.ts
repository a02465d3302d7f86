import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { groups } from './groups.gen.ts'
import { openapi } from './openapi.ts'
import type { Group, Operation } from './operation.ts'

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}
interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly deprecated?: boolean
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
    readonly example?: unknown
  }[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
  }
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly description?: string; readonly content?: object }>
  >
}
interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly securitySchemes: Readonly<Record<string, { readonly type: string }>> }
}

const everyGroup: Readonly<Record<string, Group>> = groups
// As JSON: values that JSON does not have are left out.
const document = JSON.parse(JSON.stringify(openapi(groups, '1.2.3'))) as Document
const operations = Object.entries(everyGroup).flatMap(([tag, group]) =>
  Object.entries(group).map(([name, operation]): [string, Operation] => [`${tag}.${name}`, operation]),
)
const described = ({ method, path }: Operation): Described | undefined =>
  document.paths[`/api/v1${path}`]?.[method.toLowerCase()]

/** Every object inside a value, with the path that leads to it. */
function* objectsIn(value: unknown, path = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>]
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, `${path}/${key}`)
}

describe('the OpenAPI document', () => {
  it('conforms to OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info).toMatchObject({ title: 'Rookery', version: '1.2.3' })
    for (const path of Object.keys(document.paths)) expect(path).toMatch(/^\/api\/v1\/[a-z0-9_/-]+$/)
    const all = Object.values(document.paths).flatMap((path) => Object.entries(path))
    for (const [method] of all) expect(['get', 'post', 'delete']).toContain(method)
    const ids = all.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, { responses, tags, summary }] of all) {
      expect([tags.length, summary === '']).toEqual([1, false])
      expect(document.tags.map(({ name }) => name)).toContain(tags[0])
      for (const [status, answer] of Object.entries(responses)) {
        expect(status).toMatch(/^(default|[1-5]\d\d)$/)
        expect(answer.$ref ?? answer.description).toBeTruthy()
      }
    }
  })

  it('refers only to its own parts, and has only types of JSON Schema', () => {
    const types = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']
    const schemes = Object.keys(document.components.securitySchemes)
    for (const [path, value] of objectsIn(document)) {
      if (typeof value['$ref'] === 'string') {
        const steps = value['$ref'].split('/').slice(1)
        const found = steps.reduce<unknown>(
          (at, step) => (at as Record<string, unknown> | undefined)?.[step],
          document,
        )
        expect(found, path).toBeDefined()
      }
      // Below `properties`, `type` may be a field's name.
      if (typeof value['type'] === 'string' && !path.includes('/securitySchemes/')) {
        expect(types, path).toContain(value['type'])
      }
      if (Array.isArray(value['security'])) {
        for (const name of value['security'].flatMap((it) => Object.keys(it as object)))
          expect(schemes).toContain(name)
      }
    }
  })

  it.each(operations)('lists %s with its parameters', (id, operation) => {
    const found = described(operation)
    expect(found?.operationId).toBe(id)
    expect(found?.deprecated ?? false).toBe(operation.deprecated)
    const properties = operation.params.properties as Record<string, { default?: unknown }>
    const names = Object.keys(properties)
    const required = ((operation.params.required ?? []) as string[]).filter(
      (name) => properties[name]?.default === undefined,
    )
    if (operation.method === 'GET') {
      expect(found?.requestBody).toBeUndefined()
      expect((found?.parameters ?? []).map(({ name }) => name)).toEqual(names)
      for (const parameter of found?.parameters ?? []) {
        expect([parameter.in, parameter.required]).toEqual(['query', required.includes(parameter.name)])
        expect(parameter.schema).toBeTypeOf('object')
      }
    } else {
      expect(found?.parameters).toBeUndefined()
      const content = found?.requestBody?.content ?? {}
      const kinds = ['application/x-www-form-urlencoded', 'application/json']
      expect(Object.keys(content).slice(0, 2)).toEqual(names.length > 0 ? kinds : [])
      const whole = content['multipart/form-data'] ?? content['application/json']
      expect(Object.keys(whole?.schema.properties ?? {})).toEqual(names)
      for (const { schema } of Object.values(content)) expect(schema.required ?? []).toEqual(required)
    }
  })

  it.each(operations)('%s has an example with parameters of its own', (_id, { params, example }) => {
    const names = Object.keys(params.properties as object)
    expect(Object.keys(example).filter((name) => !names.includes(name))).toEqual([])
  })

  it('shows examples that are valid under its own schemas', () => {
    for (const [id, operation] of operations) {
      const { parameters = [], requestBody } = described(operation) ?? {}
      for (const { name, schema, example } of parameters)
        if (example !== undefined)
          expect(Compile(schema as TSchema).Check(example), `${id} ${name}`).toBe(true)
      for (const [kind, { schema, example }] of Object.entries(requestBody?.content ?? {}))
        if (example !== undefined)
          expect(Compile(schema as TSchema).Check(example), `${id} ${kind}`).toBe(true)
    }
  })

  it('marks answers that may be files, and leaves out keywords that only the console reads', () => {
    for (const [, operation] of operations) {
      const { content = {} } = described(operation)?.responses['200'] ?? {}
      expect('application/octet-stream' in content).toBe(operation.answers === 'file')
    }
    for (const [path, value] of objectsIn(document)) {
      expect(Object.keys(value), path).not.toContain('separator')
      expect(Object.keys(value), path).not.toContain('says')
      // A field may be called `secret`; a mark of that name is a text.
      expect(typeof value['secret'], path).not.toBe('string')
    }
  })

  it('says that a factory is called with its own key', () => {
    const create = document.paths['/api/v1/decoytoken/factory/create']?.['post']
    expect(create?.security?.map((it) => Object.keys(it)[0])).toContain('factory_auth')
  })
})
