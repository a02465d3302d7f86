// Conditions of a request (RFC 9110, 13) as nginx 1.22 tests them.
import type { RequestHead } from '../../protocol/request.ts'
import { dateReader } from '../../protocol/http-date.ts'

/** What the file is known by; a page that is no file has neither. */
export interface Validators {
  readonly etag?: string
  readonly modifiedAt?: number
}

export function failedCondition(
  headers: RequestHead['headers'],
  { etag, modifiedAt }: Validators,
): 304 | 412 | undefined {
  const [match, noneMatch] = [headers.get('if-match'), headers.get('if-none-match')]
  const [since, unmodified] = [headers.get('if-modified-since'), headers.get('if-unmodified-since')]
  if (unmodified !== undefined && !(modifiedAt !== undefined && timeOf(unmodified) >= seconds(modifiedAt)))
    return 412
  if (match !== undefined && !hasTag(match, etag, false)) return 412
  if (since === undefined && noneMatch === undefined) return undefined
  // if_modified_since exact: another date counts as a change.
  if (since !== undefined && timeOf(since) !== (modifiedAt === undefined ? NaN : seconds(modifiedAt)))
    return undefined
  return noneMatch === undefined || hasTag(noneMatch, etag, true) ? 304 : undefined
}

const seconds = (at: number): number => Math.floor(at / 1_000) * 1_000

function hasTag(list: string, etag: string | undefined, isWeak: boolean): boolean {
  if (list === '*') return true
  return list.split(',').some((one) => one.trim().replace(isWeak ? /^W\/(?=.)/ : /^$/, '') === etag)
}

export const timeOf = dateReader({
  imf: /^\s*[^,]*, (\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d)/,
  rfc850: /^\s*[^,]*, (\d\d)-(\w{3})-(\d\d) (\d\d):(\d\d):(\d\d)/,
  asctime: /^\s*\w+ (\w{3}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})/,
})
