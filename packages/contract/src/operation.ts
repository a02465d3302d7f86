// The contract's alphabet: an operation is data, and everything else (routes, OpenAPI, SDK, reference) is folded from it.
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'

/** The least key type that may call: `any` takes every key, a factory's too; `factory` takes deploy keys and admins. */
export type Role = 'any' | 'read-only' | 'analyst' | 'admin' | 'factory'

export type Method = 'GET' | 'POST' | 'DELETE'

/** Whose settings an operation changes: then the change itself is an incident (23001 console, 23002 Bird, 23003 Flock). */
export type SettingsOf = 'console' | 'device' | 'flock'

/** What a successful call answers with: a JSON object, or a file to save. */
export type AnswerKind = 'json' | 'file'

export interface Operation<P extends TObject = TObject, A extends TSchema = TSchema> {
  readonly method: Method
  /** Behind `/api/v1`. */
  readonly path: string
  /** Other spellings of the path. */
  readonly aliases: readonly string[]
  readonly role: Role
  /** One line for people, in the imperative. */
  readonly title: string
  /** Every parameter but the key; one with a `default` or `Type.Optional` may be left out. */
  readonly params: P
  /** The answer without its `result`. */
  readonly answer: A
  readonly deprecated: boolean
  /** May answer a file instead of JSON (`asFile`). */
  readonly answers: AnswerKind
  /** Whose settings it changes; a `device` is named by `node_id`, a `flock` by `flock_id`. */
  readonly settings: SettingsOf | undefined
  readonly example: Example
}

/**
 * A call that works, and is executed by a test. A text may say `{node_id}` and the like for what must be there before
 * (examples.ts, `STAND_INS`). An operation for factories is sent its `factory_auth` and no API key.
 */
export interface Example {
  readonly params?: Readonly<Record<string, string | number | boolean>>
}

interface Extras {
  readonly deprecated?: boolean
  readonly answers?: AnswerKind
  readonly settings?: SettingsOf
  readonly example?: Example
  readonly aliases?: readonly string[]
}

const operation =
  (method: Method) =>
  <P extends TProperties, A extends TSchema>(
    path: string,
    role: Role,
    title: string,
    params: P,
    answer: A,
    extras: Extras = {},
  ): Operation<TObject<P>, A> => ({
    method,
    path,
    role,
    title,
    params: Type.Object(params),
    answer,
    aliases: extras.aliases ?? [],
    deprecated: extras.deprecated ?? false,
    answers: extras.answers ?? 'json',
    settings: extras.settings,
    example: extras.example ?? {},
  })

export const get = operation('GET')
export const post = operation('POST')
export const del = operation('DELETE')

/** The answer `{"result":"success"}` alone. */
export const Nothing = Type.Object({})

/** Operations that belong together: one section of the specification, one feature folder, one reference page. */
export type Group = Readonly<Record<string, Operation>>

/** What a group is called, and what it is for, in a sentence. */
export interface About {
  readonly title: string
  readonly text: string
}

const abouts = new WeakMap<Group, About>()

/** Names a group; the operations are answered as they are. */
export function group<G extends Group>(title: string, text: string, operations: G): G {
  abouts.set(operations, { title, text })
  return operations
}

/** What was said of the group; one that was not made by `group` throws. */
export function aboutGroup(operations: Group): About {
  const about = abouts.get(operations)
  if (!about) throw new Error(`The group of ${Object.keys(operations).join(', ')} was not made by group().`)
  return about
}

export type Params<O> = O extends Operation<infer P, TSchema> ? Static<P> : never
export type Answer<O> = O extends Operation<TObject, infer A> ? Static<A> : never
