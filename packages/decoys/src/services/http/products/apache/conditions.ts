// Conditions of a request, in the order of Apache's ap_meets_conditions. Unlike RFC 9110, 13.2.2 has it, a date that does
// not match takes a 304 back that an entity tag has brought about.
import type { RequestHead } from '../../protocol/request.ts'
import type { Asset } from '../../protocol/skin.ts'
import { parseDate } from './date.ts'

/** The status that they lead to; undefined: the file. */
export function failedCondition(
  { headers, method }: Pick<RequestHead, 'headers' | 'method'>,
  { etag, modifiedAt }: Pick<Asset, 'etag' | 'modifiedAt'>,
  now: number,
): 304 | 412 | undefined {
  const matched = (name: string): boolean | undefined => {
    const value = headers.get(name)
    return value === undefined ? undefined : value.startsWith('*') || hasEtag(value, etag)
  }
  const time = (name: string): number => parseDate(headers.get(name) ?? '')
  const isRead = method === 'GET' || method === 'HEAD'
  const isMatch = matched('if-match')
  if (isMatch === false || (isMatch === undefined && time('if-unmodified-since') < modifiedAt)) return 412
  const isNoneMatch = matched('if-none-match')
  if (isNoneMatch && !isRead) return 412
  if (!isRead || isNoneMatch === false) return undefined
  if (!headers.has('if-modified-since')) return isNoneMatch ? 304 : undefined
  const since = time('if-modified-since')
  return since >= modifiedAt && since <= now ? 304 : undefined
}

const hasEtag = (value: string, etag: string): boolean =>
  value
    .replace(/-gzip"/g, '"')
    .split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === `"${etag}"`)
