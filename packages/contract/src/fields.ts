// Parameters and fields that several groups share. A schema is at once the check, the type and the documentation.
import Type, { type TSchema } from 'typebox'

/** The schema with a default: the caller may leave the parameter out, the handler always sees a value. */
export const withDefault = <S extends TSchema>(schema: S, value: unknown): S =>
  ({ ...schema, default: value }) as S

export const node_id = Type.String({ description: 'Id of a Bird or of a token node', maxLength: 64 })
export const flock_id = Type.String({ description: 'Id of a Flock', maxLength: 64 })
export const flockOrDefault = withDefault(flock_id, 'flock:default')
export const tz = Type.Optional(
  Type.String({ description: 'IANA time zone of the _std fields', maxLength: 64 }),
)
export const note = Type.String({ description: 'Free text', maxLength: 10_000 })
export const src_ip = Type.String({ description: 'IPv4 or IPv6 address', maxLength: 64 })
export const dst_port = Type.Integer({ minimum: 0, maximum: 65_535, description: 'Destination port' })
export const flag = Type.Boolean()
export const text = Type.String({ maxLength: 10_000 })

/** An uploaded file; sent as multipart/form-data. */
export interface Upload {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Uint8Array
}
export const upload = Type.Unsafe<Upload>({ type: 'string', format: 'binary', description: 'A file' })

/** A JSON object, sent as its text (or as an object inside a JSON body). */
export const jsonObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: 'A JSON object',
})

/** A parameter list in one text: separated by commas or by newlines, as the description says. */
export const commaList = Type.String({
  description: 'Separated by commas',
  maxLength: 1_048_576,
  separator: ',',
})
export const lineList = Type.String({ description: 'One a line', maxLength: 1_048_576, separator: '\n' })
