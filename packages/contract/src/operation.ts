// Operations as data. Routes, OpenAPI, SDK and reference are folded from them.
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import { maxBodyBytes } from './body-limit.ts'

/**
 * Who may call. The least key type: `any` is every key, a factory's too; `indicators` is a key that reads nothing but the sources
 * that may leave, and all above it; `factory` is deploy keys and admins. `nobody`
 * needs neither key nor session; `person` needs a session, and takes no key.
 */
export type Role = 'nobody' | 'person' | 'any' | 'indicators' | 'read-only' | 'analyst' | 'admin' | 'factory'

/**
 * How far it reaches, so whether a caller with some Flocks alone may call it: `flock` reads and changes what lies in them;
 * `console` is refused to such a caller; `everybody` is the same for all, or their own.
 */
export type Reach = (typeof REACHES)[number]

const REACHES = ['flock', 'console', 'everybody'] as const

export type Method = 'GET' | 'POST' | 'DELETE'

/** Whose settings an operation changes. The change raises an incident: 23001 console, 23002 Bird, 23003 Flock. */
export type SettingsOf = 'console' | 'device' | 'flock'

/** The answer of a successful call: a JSON object, a file to save, or a stream of server-sent events. */
export type AnswerKind = 'json' | 'file' | 'events'

/**
 * Which sessions may call: `whole` ones; `enrolling` ones, too, of people who must add a second factor before anything else;
 * `any`, also one that still lacks its second factor.
 */
export type Sessions = 'whole' | 'enrolling' | 'any'

export interface Operation<P extends TObject = TObject, A extends TSchema = TSchema> {
  readonly method: Method
  /** Below `/api/v1`. */
  readonly path: string
  /** Other spellings of the path. */
  readonly aliases: readonly string[]
  readonly role: Role
  readonly reach: Reach
  /** One line for people, in the imperative. */
  readonly title: string
  /** Every parameter except the key; one with a `default` or `Type.Optional` may be left out. */
  readonly params: P
  /** A longer body is refused (413). */
  readonly maxBodyBytes: number
  /** The answer without its `result`. */
  readonly answer: A
  readonly deprecated: boolean
  /** Refuses empty and unknown parameters: a filter that came to nothing would select everything. */
  readonly isStrict: boolean
  /** It may read the whole of a large table: its time is a minute. */
  readonly readsLong: boolean
  /** `file`: may answer with a file instead of JSON; `events`: always answers with a stream. */
  readonly answers: AnswerKind
  /** False for a POST that changes nothing of the console, such as signing in: it writes no audit row by itself. */
  readonly changes: boolean
  /** Whose settings it changes; `node_id` names the `device`, `flock_id` the `flock`. */
  readonly settings: SettingsOf | undefined
  readonly sessions: Sessions
  /** A person must have shown a password or a second factor in the last ten minutes (403 `step-up`); a key need not. */
  readonly stepUp: boolean
  readonly example: Example
}

/**
 * Parameters with which a call works; a test runs it. A text may say `{node_id}` and the like for what must exist before
 * the call (examples.ts, `STAND_INS`). An operation of the role `factory` is called with `factory_auth` and no API key.
 */
export type Example = Readonly<Record<string, string | number | boolean>>

interface Extras {
  readonly deprecated?: boolean
  readonly isStrict?: boolean
  readonly readsLong?: boolean
  readonly answers?: AnswerKind
  readonly changes?: boolean
  readonly settings?: SettingsOf
  readonly sessions?: Sessions
  readonly stepUp?: boolean
  readonly example?: Example
  readonly aliases?: readonly string[]
}

const operation =
  (method: Method) =>
  <P extends TProperties, A extends TSchema>(
    path: string,
    role: Role,
    reach: Reach,
    title: string,
    params: P,
    answer: A,
    extras: Extras = {},
  ): Operation<TObject<P>, A> => ({
    method,
    path,
    role,
    reach: known(reach, `${method} ${path}`),
    title,
    params: Type.Object(params),
    maxBodyBytes: maxBodyBytes(Type.Object(params)),
    answer,
    aliases: extras.aliases ?? [],
    deprecated: extras.deprecated ?? false,
    isStrict: extras.isStrict ?? false,
    readsLong: extras.readsLong ?? false,
    answers: extras.answers ?? 'json',
    changes: extras.changes ?? method !== 'GET',
    settings: extras.settings,
    sessions: extras.sessions ?? 'whole',
    stepUp: extras.stepUp ?? false,
    example: extras.example ?? {},
  })

/** Said before the compiler can: the generator runs the contract first. */
function known(reach: Reach, name: string): Reach {
  if (REACHES.includes(reach)) return reach
  const right = REACHES.map((each) => `'${each}'`).join(' or ')
  throw new Error(`${name} does not say its reach: behind its role stands ${right}, not "${String(reach)}".`)
}

export const get = operation('GET')
export const post = operation('POST')
export const del = operation('DELETE')

/** The answer `{"result":"success"}` alone. */
export const Nothing = Type.Object({})

/** Operations that belong together: one section of the specification, one feature folder, one reference page. */
export type Group = Readonly<Record<string, Operation>>

/** The title of a group, and its purpose in a sentence. */
export interface About {
  readonly title: string
  readonly text: string
}

const abouts = new WeakMap<Group, About>()

/** Gives a group its title and text; answers the operations unchanged. */
export function group<G extends Group>(title: string, text: string, operations: G): G {
  abouts.set(operations, { title, text })
  return operations
}

/** Title and text of a group; throws for one that was not made by `group`. */
export function aboutGroup(operations: Group): About {
  const about = abouts.get(operations)
  if (!about) throw new Error(`The group of ${Object.keys(operations).join(', ')} was not made by group().`)
  return about
}

export type Params<O> = O extends Operation<infer P, TSchema> ? Static<P> : never
export type Answer<O> = O extends Operation<TObject, infer A> ? Static<A> : never
