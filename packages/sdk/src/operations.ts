// A description of every operation, for programs that choose one at run time: a command line, a form.
import { described, requiredNames } from '@rookery/contract/describe.ts'
import { fillExample } from '@rookery/contract/examples.ts'
import { groups } from '@rookery/contract/groups.gen.ts'
import { rightsOf } from '@rookery/contract/openapi.ts'
import {
  aboutGroup,
  type About,
  type Example,
  type Group,
  type Operation,
} from '@rookery/contract/operation.ts'
import type { AnsweredFile, Client } from './types.ts'

export type ParameterType = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'lines' | 'object' | 'file'

export interface Parameter {
  readonly name: string
  readonly type: ParameterType
  /** The values of a choice; empty for every other type. */
  readonly choices: readonly string[]
  readonly isRequired: boolean
  /** The value that the console assumes when the parameter is left out; undefined when there is none. */
  readonly default: unknown
  /** Least and greatest value, or greatest length; empty when there is no bound. */
  readonly bounds: string
  readonly description: string
  /** A password, a key, an address with one: it should not stand in an argument. */
  readonly isSecret: boolean
}

export interface ListedOperation {
  /** Group and function of the client: `flockNotes.read`. */
  readonly id: string
  readonly group: About
  readonly method: Operation['method']
  /** Behind `/api/v1`, with its slash. */
  readonly path: string
  readonly aliases: readonly string[]
  /** What it does, in the imperative. */
  readonly title: string
  /** Which keys may call it. */
  readonly rights: string
  readonly isForFactories: boolean
  readonly isDeprecated: boolean
  readonly mayAnswerFile: boolean
  readonly parameters: readonly Parameter[]
  /** Names of the answer's fields, without `result`. */
  readonly answers: readonly string[]
  readonly example: Example
}

/** Every operation of the contract, group by group. */
export const listOperations = (): ListedOperation[] =>
  Object.entries<Group>(groups).flatMap(([groupName, group]) =>
    Object.entries(group).map(([name, operation]) =>
      listed(`${groupName}.${name}`, aboutGroup(group), operation),
    ),
  )

/** Calls a listed operation. Its parameters are not known to the compiler: the console checks them. */
export function callOperation(
  client: Client,
  { id }: ListedOperation,
  params: Readonly<Record<string, string | File>>,
): Promise<Readonly<Record<string, unknown>> & { readonly file?: AnsweredFile }> {
  const [group = '', name = ''] = id.split('.')
  type Callable = (params: object) => ReturnType<typeof callOperation>
  const call = (client as unknown as Record<string, Record<string, Callable>>)[group]?.[name]
  if (!call) throw new Error(`There is no operation ${id}.`)
  return call(params)
}

const listed = (id: string, group: About, operation: Operation): ListedOperation => ({
  id,
  group,
  method: operation.method,
  path: operation.path,
  aliases: operation.aliases,
  title: operation.title,
  rights: rightsOf(operation).replaceAll('`', ''),
  isForFactories: operation.role === 'factory',
  isDeprecated: operation.deprecated,
  mayAnswerFile: operation.answers === 'file',
  parameters: parametersOf(operation),
  answers: Object.keys((operation.answer as { properties?: object }).properties ?? {}),
  example: fillExample(operation.example),
})

/** JSON Schema's words of one parameter. */
interface ParameterSchema {
  readonly type?: string
  readonly format?: string
  readonly separator?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly description?: string
  /** Of a text that people have as a file, such as a certificate. */
  readonly contentMediaType?: string
  /** The contract's mark. */
  readonly secret?: string
  readonly anyOf?: readonly { readonly const?: unknown }[]
}

function parametersOf({ params }: Operation): Parameter[] {
  const required = requiredNames(params)
  return Object.entries(described(params).properties as Record<string, ParameterSchema>).map(
    ([name, schema]) => ({
      name,
      type: typeOf(schema),
      choices: (schema.anyOf ?? []).map((choice) => String(choice.const)),
      isRequired: required.has(name),
      default: schema.default,
      bounds: boundsOf(schema),
      description: schema.description ?? '',
      isSecret: schema.secret !== undefined,
    }),
  )
}

function typeOf({ type, format, separator, contentMediaType, anyOf }: ParameterSchema): ParameterType {
  if (anyOf) return 'choice'
  if (format === 'binary') return 'file'
  if (contentMediaType !== undefined) return 'lines'
  if (separator !== undefined) return separator === '\n' ? 'lines' : 'list'
  const types: Readonly<Record<string, ParameterType>> = {
    integer: 'number',
    number: 'number',
    boolean: 'boolean',
    object: 'object',
  }
  return types[type ?? ''] ?? 'text'
}

function boundsOf({ minimum, maximum, maxLength }: ParameterSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `at least ${minimum}`
  return maxLength === undefined ? '' : `at most ${maxLength} characters`
}
