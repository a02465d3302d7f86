// The parameters of an operation as the fields of a form.
import Type, { type Static, type TObject } from 'typebox'
import { described, requiredNames } from './describe.ts'
import { oneOf } from './fields.ts'
import type { Operation } from './operation.ts'

export const FormField = Type.Object({
  name: Type.String({ description: 'Name of the parameter' }),
  type: oneOf(['text', 'lines', 'list', 'map', 'number', 'switch', 'choice'], {
    description:
      'text: one line; lines: a longer text; list: texts, separated by commas; map: a JSON object of texts',
  }),
  description: Type.String({ description: 'What it means' }),
  is_required: Type.Boolean({ description: 'Whether it must be given' }),
  is_secret: Type.Boolean({ description: 'Whether it is shown nowhere again' }),
  default: Type.Union([Type.String(), Type.Null()], { description: 'Its value unless given; null for none' }),
  choices: Type.Array(Type.String(), { description: 'The texts that it may be, where they are few' }),
  max_length: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Most characters; null for no limit',
  }),
})
export type FormField = Static<typeof FormField>

interface Schema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly maxLength?: number
  readonly separator?: string
  readonly secret?: string
  readonly anyOf?: readonly { readonly const?: unknown }[]
}

/** A text that may be longer has several lines. */
const ONE_LINE = 4_096

/** All but those named. */
export function formFields(
  { params }: Pick<Operation, 'params'>,
  without: readonly string[] = [],
): FormField[] {
  const required = requiredNames(params)
  const { properties } = described<TObject>(params)
  return Object.entries(properties as Readonly<Record<string, Schema>>)
    .filter(([name]) => !without.includes(name))
    .map(([name, field]) => ({
      name,
      type: typeOf(field),
      description: field.description ?? '',
      is_required: required.has(name),
      is_secret: field.secret === 'whole',
      default: field.default === undefined ? null : String(field.default),
      choices: field.anyOf?.map((it) => String(it.const)) ?? [],
      max_length: field.maxLength ?? null,
    }))
}

function typeOf({ type, anyOf, separator, maxLength = 0 }: Schema): FormField['type'] {
  if (anyOf) return 'choice'
  if (type === 'boolean') return 'switch'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'object') return 'map'
  if (separator !== undefined) return 'list'
  return maxLength > ONE_LINE ? 'lines' : 'text'
}
