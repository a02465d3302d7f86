// What nginx answers to a request that it cannot serve.
import type { BrokenRequest, RequestHead } from '../../request.ts'
import type { HttpResponse } from '../../response.ts'
import type { PendingRequest, Site } from '../web-server.ts'
import { decode } from './codec.ts'
import { errorPage } from './error-page.ts'
import { isOfApplication, isOfFile, respond } from './site.ts'

export function refuse(refusal: BrokenRequest, { head }: PendingRequest, site: Site): HttpResponse {
  if (!head) return errorPage(refusal.status, askingOf(refusal), site.server)
  if (refusal.status === 413) return errorPage(413, head, site.server)
  const response = respond(head, site)
  if (!isOfFile(response) && !isOfApplication(head, site)) return response
  const page = errorPage(refusal.status, head, site.server)
  return response.isContinued ? { ...page, isContinued: true } : page
}

/** What is known of a request whose head was not read to its end. */
function askingOf({
  line,
  headers = new Map<string, string>(),
  isLineBroken,
  isBare,
}: BrokenRequest): Pick<RequestHead, 'method' | 'headers' | 'version'> {
  const method = isLineBroken ? '' : (line.split(' ', 1)[0] ?? '')
  return { method, headers, version: isBare ? '0.9' : '1.1' }
}

const PLAIN_REQUEST_STATUS = 497

/** A request at the port of TLS is answered; to anything else OpenSSL's alert is the answer. */
export function refusePlain(firstBytes: string): BrokenRequest | undefined {
  const decoded = decode(Buffer.from(firstBytes, 'latin1'), undefined)
  if (!decoded || !('frame' in decoded)) return undefined
  if ('status' in decoded.frame) return decoded.frame
  if (!('head' in decoded.frame)) return undefined
  const { method, target, headers } = decoded.frame.head
  return { status: PLAIN_REQUEST_STATUS, line: `${method} ${target}`, headers }
}
