// The types of the published client, written out: its users need neither our contract nor its schemas.
import { described, requiredNames } from '@rookery/contract/describe.ts'
import { rightsOf } from '@rookery/contract/openapi.ts'
import { aboutGroup, type Group, type Operation } from '@rookery/contract/operation.ts'

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
}

/** `types.d.ts`: a function for each operation, with its words as comments. */
export function declareClient(groups: Readonly<Record<string, Group>>): string {
  const members = Object.entries(groups).map(([name, group]) => {
    const operations = Object.entries(group).map(([operation, it]) => declareOperation(operation, it))
    return `${comment(aboutGroup(group).text)}  readonly ${name}: {\n${operations.join('')}  }\n`
  })
  return `${HEAD}\n/** A function for each operation, by group. */\nexport interface Client {\n${members.join('')}}\n`
}

const HEAD = `/** A file instead of JSON. */
export interface AnsweredFile {
  readonly name: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** \`result\` is \`success\`, or \`progress\` while work goes on; \`file\` is there when the console answered with one. */
export type Answered<A> = A & { readonly result: string; readonly file?: AnsweredFile }
`

function declareOperation(name: string, operation: Operation): string {
  const { method, path, title, deprecated, params, answer } = operation
  const required = requiredNames(params)
  const given = objectType(described(params) as Schema, (field) => required.has(field), 'given')
  const says = `${title}. \`${method} /api/v1${path}\`. ${rightsOf(operation)}${deprecated ? '\n@deprecated' : ''}`
  const mark = required.size > 0 ? '' : '?'
  return `${comment(says, 4)}    readonly ${name}: (params${mark}: ${given}) => Promise<Answered<${typeOf(described(answer) as Schema, 'answered')}>>\n`
}

type Direction = 'given' | 'answered'

function typeOf(schema: Schema, direction: Direction): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((it) => JSON.stringify(it)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((it) => typeOf(it, direction)).join(' | ')
  if (schema.format === 'binary') return 'Blob | File'
  const [ofMap] = Object.values(schema.patternProperties ?? {})
  if (ofMap) return `Record<string, ${typeOf(ofMap, direction)}>`
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `Array<${schema.items ? typeOf(schema.items, direction) : 'unknown'}>`
    case 'object':
      if (!schema.properties) return 'Record<string, unknown>'
      return objectType(schema, (field) => schema.required?.includes(field) ?? false, direction)
    default:
      return 'unknown'
  }
}

function objectType(schema: Schema, isRequired: (field: string) => boolean, direction: Direction): string {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const about = field.description === undefined ? '' : `/** ${plain(field.description)} */ `
    return `${about}${JSON.stringify(name)}${isRequired(name) ? '' : '?'}: ${typeOf(field, direction)}`
  })
  if (schema.additionalProperties === true) fields.push('[name: string]: unknown')
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`
}

const plain = (text: string): string => text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')

function comment(text: string, indent = 2): string {
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  const margin = ' '.repeat(indent)
  return lines.length === 1
    ? `${margin}/** ${lines[0]} */\n`
    : `${margin}/**\n${lines.map((line) => `${margin} * ${line}\n`).join('')}${margin} */\n`
}
