// What lighttpd answers to a request that it cannot serve.
import type { BrokenRequest } from '../../protocol/request.ts'
import type { HttpResponse } from '../../protocol/response.ts'
import type { PendingRequest, Site } from '../../protocol/web-server.ts'
import { errorPage } from './response.ts'
import { respond } from './site.ts'

/** A body that breaks changes nothing: it would not have been read. */
export function refuse(
  { status, line, isLineBroken = false }: BrokenRequest,
  { head }: PendingRequest,
  site: Site,
): HttpResponse {
  if (head) return respond(head, site)
  const hasNoExtraFields = true
  if (isLineBroken) return { ...errorPage(status, { method: '', version: '1.0' }), hasNoExtraFields }
  const version = line.endsWith('HTTP/1.0') ? '1.0' : '1.1'
  return { ...errorPage(status, { method: line.split(' ', 1)[0] ?? '', version }), hasNoExtraFields }
}
