// A page for each group of the contract: its operations, what they take, what they answer, how they are called.
import { described, requiredNames } from '@rookery/contract/describe.ts'
import { fillExample } from '@rookery/contract/examples.ts'
import { ROLE_SAYS } from '@rookery/contract/openapi.ts'
import { aboutGroup, type Group, type Operation } from '@rookery/contract/operation.ts'
import { block, code, page, stacked, table, type Page } from './markdown.ts'

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

/** `name`: the contract file's, as `flock-notes`. */
export function groupPage(name: string, group: Group): Page {
  const { title, text } = aboutGroup(group)
  return page(`${name}.md`, title, text, Object.values(group).map(section))
}

function section(operation: Operation): string {
  const { method, path, aliases, role, title, deprecated, answers } = operation
  const spellings = [path, ...aliases].map((spelling) => `${method} /api/v1${spelling}`)
  return stacked(
    `## ${title}${deprecated ? ' (deprecated)' : ''}`,
    spellings.map(code).join(' or '),
    [ROLE_SAYS[role], deprecated ? 'Deprecated: kept for clients that call it.' : '']
      .filter(Boolean)
      .join(' '),
    table(['Parameter', 'Type', 'Required', 'What it is'], parameterRows(operation)),
    answers === 'file' ? 'Answers JSON, or the file itself.' : '',
    table(['Answer', 'Type', 'What it is'], [...answerRows(described(operation.answer) as Field)]),
    block('sh', curl(operation)),
  )
}

function parameterRows({ params }: Operation): string[][] {
  const required = requiredNames(params)
  return Object.entries((described(params) as Field).properties ?? {}).map(([name, field]) => [
    code(name),
    typeOf(field) + limits(field),
    required.has(name) ? 'yes' : 'default' in field ? `default ${code(String(field.default))}` : 'no',
    field.description ?? '',
  ])
}

/** Fields, those of fields inside behind a dot, those of list elements behind `[]`, those of maps behind `{}`. */
function* answerRows(schema: Field, path = ''): Generator<string[]> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isOptional = !(schema.required ?? []).includes(name)
    const about = `${field.description ?? ''}${isOptional ? ' (not always there)' : ''}`
    yield [code(path + name), typeOf(field), about]
    yield* answerRows(...inside(field, path + name))
  }
}

function inside(field: Field, path: string): [Field, string] {
  const [ofMap] = Object.values(field.patternProperties ?? {})
  if (ofMap) return [ofMap, `${path}.{}.`]
  return field.items ? [field.items, `${path}[].`] : [field, `${path}.`]
}

function typeOf(field: Field): string {
  if (field.const !== undefined) return code(String(field.const))
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

/** The example as a line to copy; `$KEY` is an API key, `$CONSOLE` the console's address. */
function curl({ method, path, role, example }: Operation): string {
  const given = Object.entries(fillExample(example))
  const hasFactory = role === 'factory' && given.some(([name]) => name === 'factory_auth')
  const parts = [
    `curl${method === 'GET' ? (given.length > 0 ? ' -G' : '') : ` -X ${method}`} "$CONSOLE/api/v1${path}"`,
    ...(hasFactory ? [] : ['-H "X-Auth-Token: $KEY"']),
    ...given.map(([name, value]) => `--data-urlencode ${quote(`${name}=${String(value)}`)}`),
  ]
  return parts.join(' \\\n  ')
}

const quote = (text: string): string => `'${text.replace(/'/g, String.raw`'\''`)}'`
