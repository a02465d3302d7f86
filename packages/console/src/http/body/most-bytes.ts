// How long a body may be: what its operation takes, as JSON without files.
import type { Operation } from '@rookery/contract/operation.ts'
import { JSON_BYTES } from '../request-limits.ts'
import { isJson } from './decode.ts'

export interface MostBytes {
  readonly bytes: number
  /** Follows on "the body may be so many bytes long". */
  readonly advice: string
}

/** A character of a JSON text takes two bytes in most cases where it takes more than one. */
const CHARACTER_BYTES = 2

export function mostBytes(
  { params, maxBodyBytes }: Pick<Operation, 'params' | 'maxBodyBytes'>,
  contentType: string | undefined,
): MostBytes {
  if (maxBodyBytes <= JSON_BYTES.max || !isJson(contentType)) return { bytes: maxBodyBytes, advice: '' }
  const properties = Object.values(params.properties) as { readonly maxLength?: number }[]
  const characters = Math.max(...properties.map(({ maxLength = 0 }) => maxLength))
  const bytes = Math.min(maxBodyBytes, Math.max(JSON_BYTES.max, CHARACTER_BYTES * characters))
  return { bytes, advice: ' as JSON; send files as multipart/form-data' }
}
