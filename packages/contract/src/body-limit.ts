// How long the body of an operation may be: folded from its parameters, so that a new parameter is counted, too.
import type { TObject } from 'typebox'

/** The three bounds, in bytes. */
export const BODY_LIMITS = {
  /** Ids, switches and short texts. */
  small: 64 * 1024,
  /** Lists and long texts. */
  texts: 4 * 1024 * 1024,
  /** Files, as multipart/form-data or as text. */
  files: 32 * 1024 * 1024,
} as const

interface Property {
  readonly type?: string
  readonly format?: string
  readonly maxLength?: number
  readonly anyOf?: readonly unknown[]
}

/** A character of a urlencoded form takes at most 12 bytes: four of UTF-8, each as `%F0`. */
const ENCODED_BYTES = 12
const MAX_WORD = 64

/** The least of the three bounds that holds the parameters, each as long as it may be. */
export function maxBodyBytes(params: TObject): number {
  const properties = Object.values(params.properties) as Property[]
  if (properties.some((property) => property.format === 'binary' || isFileOfText(property)))
    return BODY_LIMITS.files
  const characters = properties.reduce((sum, property) => sum + mostCharacters(property), 0)
  return characters * ENCODED_BYTES > BODY_LIMITS.small ? BODY_LIMITS.texts : BODY_LIMITS.small
}

/** Longer than any list or text: it is a file that may come as text. */
const isFileOfText = ({ type, maxLength = 0 }: Property): boolean =>
  type === 'string' && maxLength > BODY_LIMITS.texts

function mostCharacters({ type, anyOf, maxLength = Infinity }: Property): number {
  if (type === 'object') return Infinity
  return type === 'string' && !anyOf ? maxLength : MAX_WORD
}
