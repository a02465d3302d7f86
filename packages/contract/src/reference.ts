// What a reader asks about an operation, as rows: docs/reference and the console's `/docs` are made of them.
// Types and descriptions are text with `code` in backticks.
import { described, requiredNames } from './describe.ts'
import { fillExample } from './examples.ts'
import type { Operation } from './operation.ts'

export interface ParameterRow {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly isRequired: boolean
  readonly default: string | undefined
  /** The texts that it may have, where they are few. */
  readonly choices: readonly string[]
  readonly isFile: boolean
  /** Its value in the example; empty for none. */
  readonly example: string
}

export interface AnswerRow {
  /** The path of the field: those inside stand behind a dot, of list elements behind `[]`, of maps behind `{}`. */
  readonly name: string
  readonly type: string
  readonly description: string
}

interface Field {
  readonly type?: string
  readonly const?: unknown
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly anyOf?: readonly Field[]
  readonly items?: Field
  readonly properties?: Readonly<Record<string, Field>>
  readonly patternProperties?: Readonly<Record<string, Field>>
  readonly required?: readonly string[]
}

export function parameterRows({ params, example }: Operation): ParameterRow[] {
  const required = requiredNames(params)
  const given = fillExample(example)
  return Object.entries((described(params) as Field).properties ?? {}).map(([name, field]) => ({
    name,
    type: typeOf(field) + limits(field),
    description: field.description ?? '',
    isRequired: required.has(name),
    default: 'default' in field ? String(field.default) : undefined,
    choices: choicesOf(field),
    isFile: field.format === 'binary',
    example: String(given[name] ?? ''),
  }))
}

export const answerRows = ({ answer }: Operation): AnswerRow[] => [...fieldRows(described(answer) as Field)]

/** The example as a line to copy; `$KEY` is an API key, `$CONSOLE` the console's address. */
export function curl({ method, path, role, example }: Operation): string {
  const given = Object.entries(fillExample(example))
  const hasFactory = role === 'factory' && given.some(([name]) => name === 'factory_auth')
  const parts = [
    `curl${method === 'GET' ? (given.length > 0 ? ' -G' : '') : ` -X ${method}`} "$CONSOLE/api/v1${path}"`,
    ...(hasFactory ? [] : ['-H "X-Auth-Token: $KEY"']),
    ...given.map(([name, value]) => `--data-urlencode ${quote(`${name}=${String(value)}`)}`),
  ]
  return parts.join(' \\\n  ')
}

function* fieldRows(schema: Field, path = ''): Generator<AnswerRow> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isOptional = !(schema.required ?? []).includes(name)
    const description = `${field.description ?? ''}${isOptional ? ' (not always there)' : ''}`
    yield { name: path + name, type: typeOf(field), description }
    yield* fieldRows(...inside(field, path + name))
  }
}

function inside(field: Field, path: string): [Field, string] {
  const [ofMap] = Object.values(field.patternProperties ?? {})
  if (ofMap) return [ofMap, `${path}.{}.`]
  return field.items ? [field.items, `${path}[].`] : [field, `${path}.`]
}

function choicesOf({ type, anyOf = [] }: Field): string[] {
  if (type === 'boolean') return ['true', 'false']
  return anyOf.every((choice) => choice.const !== undefined)
    ? anyOf.map((choice) => String(choice.const))
    : []
}

function typeOf(field: Field): string {
  if (field.const !== undefined) return `\`${String(field.const)}\``
  if (field.anyOf) return field.anyOf.map(typeOf).join(', ')
  if (field.format === 'binary') return 'file'
  if (field.items) return `list of ${plural(typeOf(field.items))}`
  const [ofMap] = Object.values(field.patternProperties ?? {})
  if (ofMap) return `map to ${typeOf(ofMap)}`
  switch (field.type) {
    case 'string':
      return 'text'
    case 'integer':
      return 'whole number'
    case 'boolean':
      return 'true or false'
    default:
      return field.type ?? 'anything'
  }
}

const plural = (type: string): string => (/^(text|object|whole number|map)/.test(type) ? `${type}s` : type)

function limits({ minimum, maximum, maxLength }: Field): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, at least ${minimum}`
  return maxLength === undefined ? '' : `, at most ${maxLength} characters`
}

const quote = (text: string): string => `'${text.replace(/'/g, String.raw`'\''`)}'`
