// Parameters and fields that several groups share. A schema is the check, the type and the documentation. What a name
// means stands in field-descriptions.ts.
import { INCIDENT_KEY_LENGTH } from '@rookery/kernel/ids.ts'
import Type, { type TSchema, type TSchemaOptions } from 'typebox'

/** A schema that has a default, known to the compiler. */
export type WithDefault<S extends TSchema> = S & { readonly default: unknown }

/** The schema with a default: the caller may leave the parameter out; the handler always gets a value. */
export const withDefault = <S extends TSchema>(schema: S, value: unknown): WithDefault<S> => ({
  ...schema,
  default: value,
})

/** What the audit trail leaves out of a parameter: the whole value, or all of a URL except its host. */
export type Secrecy = 'whole' | 'but its host'

/** Marks a parameter whose value is a secret (password, key, header value): the audit trail leaves it out. */
export const secret = <S extends TSchema>(schema: S, how: Secrecy = 'whole'): S => ({
  ...schema,
  secret: how,
})

/** One of these texts. */
export const oneOf = <const T extends readonly string[]>(choices: T, options?: TSchemaOptions) =>
  Type.Unsafe<T[number]>(
    Type.Union(
      choices.map((choice) => Type.Literal(choice)),
      options,
    ),
  )

export const text = Type.String()
export const flag = Type.Boolean()
export const count = Type.Integer({ minimum: 0 })
const ofLevel = (level: string) => ({ ...count, description: `How many of level ${level}` })
/** Incidents by how far the intruder went. */
export const countsByLevel = {
  used: ofLevel('used'),
  tried: ofLevel('tried'),
  looked: ofLevel('looked'),
  house: ofLevel('house'),
}

export const node_id = Type.String({ maxLength: 64 })
export const flock_id = Type.String({ maxLength: 64 })
export const flockOrDefault = withDefault(flock_id, 'flock:default')
/** The key of an incident, as a parameter. */
export const incident = Type.String({ maxLength: INCIDENT_KEY_LENGTH })
/** Characters of a cursor: with its link it stays below 16 KiB, which Node takes as a request's header. */
export const CURSOR_LENGTH = 12_288
/** Of a page of a list. */
export const cursor = Type.Optional(
  Type.String({ description: 'A cursor from the previous answer', maxLength: CURSOR_LENGTH }),
)
export const tz = Type.Optional(Type.String({ maxLength: 64 }))
export const note = Type.String({ maxLength: 10_000 })
export const memo = Type.String({
  maxLength: 10_000,
  // Something but white space.
  pattern: '\\S',
  says: { tooLong: 'Memo longer than maximum (10000 characters).' },
})
/** An address or a range as a parameter. */
export const range = Type.String({ description: 'An IP address or a CIDR range', maxLength: 64 })
/** Whether a list of ignored addresses takes a range wider than /8 (IPv6: /16). */
export const forceWide = Type.Optional({
  ...flag,
  description: 'Take ranges wider than /8 (IPv6: /16), too',
})
export const src_ip = Type.String({ maxLength: 64 })
export const dst_port = Type.Integer({ minimum: 0, maximum: 65_535, description: 'Destination port' })
/** Logtypes of an entry of an ignore list, and the one that is asked for. */
export const logtypes = Type.Optional(
  Type.String({
    maxLength: 1000,
    description:
      'Extension: ignore only touches of these logtypes, separated by blanks or commas, such as 3000 22003',
  }),
)
export const askedLogtype = Type.Optional(
  Type.String({
    maxLength: 16,
    description:
      'Extension: ask about touches of this logtype. Without it, an entry with logtypes is named by matched_entry, and ignores some touches alone: the answer is false',
  }),
)
export const mostFound = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'Extension: at most so many are answered; without it, all',
  }),
)
export const filter_str = Type.Optional(
  Type.String({
    maxLength: 1000,
    description:
      "Part of the alert name, the node's id, the Bird's name or token's memo, the source's address or reverse name, or the destination address; A to Z in any case",
  }),
)
export const filter_logtypes = Type.Optional(Type.String({ maxLength: 4096 }))

/** An uploaded file; sent as multipart/form-data. */
export interface Upload {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Uint8Array
}
export const upload = Type.Unsafe<Upload>({ type: 'string', format: 'binary', description: 'A file' })

/** A JSON object, sent as its text (or as an object inside a JSON body). */
export const jsonObject = Type.Unsafe<Record<string, unknown>>({ type: 'object' })

/** A list in one text, separated by commas or by newlines. */
export const commaList = Type.String({ maxLength: 1_048_576, separator: ',' })
export const lineList = Type.String({ maxLength: 1_048_576, separator: '\n' })
/** The text of a CSV file, or the file itself, sent as multipart/form-data. */
export const csvFile = Type.String({ maxLength: 8_388_608, separator: '\n' })
