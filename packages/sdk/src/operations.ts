// Every operation as words and facts, for programs that choose one while they run: a command line, a form.
import { described, requiredNames } from '@rookery/contract/describe.ts'
import { fillExample, type ExampleParams } from '@rookery/contract/examples.ts'
import { groups } from '@rookery/contract/groups.gen.ts'
import { ROLE_SAYS } from '@rookery/contract/openapi.ts'
import { aboutGroup, type About, type Group, type Operation } from '@rookery/contract/operation.ts'
import type { AnsweredFile, Client } from './types.ts'

export type ParameterType = 'text' | 'number' | 'truth' | 'choice' | 'list' | 'lines' | 'object' | 'file'

export interface Parameter {
  readonly name: string
  readonly type: ParameterType
  /** What a choice takes; empty for every other type. */
  readonly choices: readonly string[]
  readonly isRequired: boolean
  /** What the console takes when it is left out; undefined for nothing. */
  readonly fallback: unknown
  /** Least and greatest value, greatest length; empty without. */
  readonly bounds: string
  readonly about: string
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
  /** Names of the answer's fields, beside `result`. */
  readonly answers: readonly string[]
  readonly example: ExampleParams
}

/** Every operation of the contract, group by group. */
export const listOperations = (): ListedOperation[] =>
  Object.entries<Group>(groups).flatMap(([groupName, group]) =>
    Object.entries(group).map(([name, operation]) =>
      listed(`${groupName}.${name}`, aboutGroup(group), operation),
    ),
  )

/** Calls an operation that was found by its name; the console checks what the compiler here cannot. */
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
  rights: ROLE_SAYS[operation.role].replaceAll('`', ''),
  isForFactories: operation.role === 'factory',
  isDeprecated: operation.deprecated,
  mayAnswerFile: operation.answers === 'file',
  parameters: parametersOf(operation),
  answers: Object.keys((operation.answer as { properties?: object }).properties ?? {}),
  example: fillExample(operation.example),
})

interface Facts {
  readonly type?: string
  readonly format?: string
  readonly separator?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly description?: string
  readonly anyOf?: readonly { readonly const?: unknown }[]
}

function parametersOf({ params }: Operation): Parameter[] {
  const required = requiredNames(params)
  return Object.entries(described(params).properties as Record<string, Facts>).map(([name, facts]) => ({
    name,
    type: typeOf(facts),
    choices: (facts.anyOf ?? []).map((choice) => String(choice.const)),
    isRequired: required.has(name),
    fallback: facts.default,
    bounds: boundsOf(facts),
    about: facts.description ?? '',
  }))
}

function typeOf({ type, format, separator, anyOf }: Facts): ParameterType {
  if (anyOf) return 'choice'
  if (format === 'binary') return 'file'
  if (separator !== undefined) return separator === '\n' ? 'lines' : 'list'
  const types: Readonly<Record<string, ParameterType>> = {
    integer: 'number',
    number: 'number',
    boolean: 'truth',
    object: 'object',
  }
  return types[type ?? ''] ?? 'text'
}

function boundsOf({ minimum, maximum, maxLength }: Facts): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `at least ${minimum}`
  return maxLength === undefined ? '' : `at most ${maxLength} characters`
}
