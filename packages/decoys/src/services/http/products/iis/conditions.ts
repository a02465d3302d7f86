// Conditions of a request (RFC 9110, 13) as the static file module of IIS tests them.
import type { RequestHead } from '../../protocol/request.ts'
import { dateReader } from '../../protocol/http-date.ts'

export function failedCondition(
  headers: RequestHead['headers'],
  etag: string,
  modifiedAt: number,
): 304 | 412 | undefined {
  const [match, noneMatch] = [headers.get('if-match'), headers.get('if-none-match')]
  const [since, unmodified] = [headers.get('if-modified-since'), headers.get('if-unmodified-since')]
  const second = Math.floor(modifiedAt / 1_000) * 1_000
  if (match !== undefined && !hasTag(match, etag)) return 412
  if (match === undefined && unmodified !== undefined && timeOf(unmodified) < second) return 412
  if (noneMatch !== undefined) return hasTag(noneMatch, etag) ? 304 : undefined
  return since !== undefined && timeOf(since) >= second ? 304 : undefined
}

const hasTag = (list: string, etag: string): boolean =>
  list.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)

const CLOCK = '(\\d\\d):(\\d\\d):(\\d\\d)'

export const timeOf = dateReader({
  imf: new RegExp(`^\\w{3}, (\\d\\d) (\\w{3}) (\\d{4}) ${CLOCK} GMT$`),
  rfc850: new RegExp(`^\\w+, (\\d\\d)-(\\w{3})-(\\d\\d) ${CLOCK} GMT$`),
  asctime: new RegExp(`^\\w{3} (\\w{3}) ([ \\d]\\d) ${CLOCK} (\\d{4})$`),
})
