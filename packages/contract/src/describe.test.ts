import { expect, it } from 'vitest'
import type { TSchema } from 'typebox'
import { described } from './describe.ts'
import { fillExample } from './examples.ts'
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts'
import { groups } from './groups.gen.ts'
import { aboutGroup, group, type Group } from './operation.ts'

const everyGroup: Readonly<Record<string, Group>> = groups
const operations = Object.values(everyGroup).flatMap((group) => Object.values(group))

interface Parts {
  readonly description?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly patternProperties?: Readonly<Record<string, TSchema>>
}

/** Path and schema of every field, however deep. */
function* fieldsOf(schema: TSchema, path = ''): Generator<[path: string, name: string, field: Parts]> {
  const { properties = {}, items, patternProperties = {} } = schema as Parts
  for (const [name, field] of Object.entries(properties)) {
    yield [`${path}.${name}`, name, field as Parts]
    yield* fieldsOf(field, `${path}.${name}`)
  }
  for (const inner of [...(items ? [items] : []), ...Object.values(patternProperties)])
    yield* fieldsOf(inner, `${path}[]`)
}

it('every parameter and every field of an answer is described', () => {
  for (const { path, params, answer } of operations)
    for (const schema of [params, answer])
      for (const [field, , { description }] of fieldsOf(described(schema)))
        expect(description ?? '', `${path} ${field}`).not.toBe('')
})

it('each described name is a name of the API', () => {
  const used = new Set(
    operations.flatMap(({ params, answer }) =>
      [params, answer].flatMap((schema) => [...fieldsOf(schema)].map(([, name]) => name)),
    ),
  )
  expect(Object.keys(FIELD_DESCRIPTIONS).filter((name) => !used.has(name))).toEqual([])
})

it('no schema repeats the description of its name', () => {
  for (const { path, params, answer } of operations)
    for (const schema of [params, answer])
      for (const [field, name, { description }] of fieldsOf(schema))
        if (description !== undefined)
          expect(description, `${path} ${field}`).not.toBe(FIELD_DESCRIPTIONS[name])
})

it('every title begins with a capital letter, ends without a full stop and fits a line', () => {
  for (const { path, title } of operations) expect(title, path).toMatch(/^[A-Z].{4,98}[^.]$/)
})

it('every group has a title and says what it is for', () => {
  for (const group of Object.values(everyGroup)) {
    expect(aboutGroup(group).title).toMatch(/^[A-Z]/)
    expect(aboutGroup(group).text).toMatch(/^[A-Z].*[.?]$/)
  }
  expect(() => aboutGroup({ ping: operations[0]! })).toThrow('was not made by group()')
  expect(aboutGroup(group('A', 'B.', {})).title).toBe('A')
})

it('every example gives what is required, and has only known placeholders', () => {
  for (const { path, params, example } of operations) {
    const given = Object.keys(example)
    for (const name of (params.required ?? []) as string[]) {
      if ('default' in ((params.properties as Record<string, object>)[name] ?? {})) continue
      expect(given, path).toContain(name)
    }
    for (const text of Object.values(fillExample(example)))
      expect(String(text), path).not.toMatch(/^\{\w+\}$/)
  }
})

it('a placeholder is filled with the value given, else with what it looks like', () => {
  const example = { node_ids: '{node_id},{pending_node_id}', headers: '{"X-A":"b"}', limit: 5 }
  expect(fillExample(example, { node_id: '00', pending_node_id: '11' })).toEqual({
    node_ids: '00,11',
    headers: '{"X-A":"b"}',
    limit: 5,
  })
  expect(fillExample({ node_id: '{node_id}' })['node_id']).toMatch(/^[0-9a-f]{16}$/)
})
