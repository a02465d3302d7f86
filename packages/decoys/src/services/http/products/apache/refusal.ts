// The error page for a request that cannot be served.
import type { BrokenRequest } from '../../protocol/request.ts'
import { escapeHtml, type HttpResponse } from '../../protocol/response.ts'
import type { PendingRequest, Site } from '../../protocol/web-server.ts'
import { badRequestText, errorPage, reasonOf } from './response.ts'
import { authorityOf, statusBeforeBody } from './site.ts'

export function refuse(
  {
    status,
    note,
    line,
    name,
    port,
    isLineBroken = false,
    hasLength = false,
    isCutOff = false,
  }: BrokenRequest,
  pending: PendingRequest,
  site: Site,
): HttpResponse {
  const { head, body } = pending
  const own = { name: name ?? site.name, port: port ?? site.port }
  const signature = { server: site.server, ...(head ? authorityOf(head, own, site.scheme) : own) }
  const asked = head?.method ?? line.split(' ', 1)[0] ?? ''
  const isTrace = head && body && asked === 'TRACE'
  const reason = note ?? (isTrace && statusBeforeBody(head, site) === 405 ? TRACE_DENIED : undefined)
  const html = note === PLAIN_HTTP ? PLAIN_HTTP_TEXT : refusalText(status, asked, reason)
  const first = firstStatus(site, pending, status, hasLength)
  const page = errorPage(status, html + firstErrorText(first), signature)
  // A broken body is met while the answer is on its way: its length is not known.
  const isLengthKnown =
    first === undefined &&
    status !== 413 &&
    (hasLength || isCutOff || body?.kind !== 'chunked' || status === 408)
  return asked === 'HEAD' && !isLineBroken
    ? { status, type: page.type! }
    : { ...page, hasLength: isLengthKnown }
}

const TRACE_DENIED = 'TRACE denied by server configuration'

/** The error of a request that was refused before its body turned out to be broken. After a broken trailer it is a second 400. */
function firstStatus(
  site: Site,
  { head, body }: PendingRequest,
  status: number,
  isTrailer: boolean,
): number | undefined {
  if (!head || !(status === 413 || (status === 400 && body))) return undefined
  const first = statusBeforeBody(head, site)
  return first !== undefined && isTrailer ? 400 : first
}

/** The page names both errors. */
const firstErrorText = (first: number | undefined): string =>
  first === undefined || first === 200
    ? ''
    : `<p>Additionally, a ${first} ${reasonOf(first)}\nerror was encountered while trying to use an ErrorDocument to handle the request.</p>\n`

function refusalText(status: number, method: string, note: string | undefined): string {
  if (status === 414)
    return "<p>The requested URL's length exceeds the capacity\nlimit for this server.<br />\n</p>\n"
  if (status === 408) return '<p>Server timeout waiting for the HTTP request from the client.</p>\n'
  if (status === 413) {
    return `The requested resource does not allow request data with ${escapeHtml(method)} requests, or the amount of data provided in\nthe request exceeds the capacity limit.\n`
  }
  return badRequestText(note)
}

const PLAIN_HTTP = "Reason: You're speaking plain HTTP to an SSL-enabled server port."
const PLAIN_HTTP_TEXT = `<p>Your browser sent a request that this server could not understand.<br />\n${PLAIN_HTTP}<br />\n Instead use the HTTPS scheme to access this URL, please.<br />\n</p>\n`
/** What OpenSSL 3.0 takes for HTTP. */
const PLAIN_REQUEST = /^(?:GET .|POST |HEAD |PUT .)/s

/** To a request that is not encrypted Apache answers without encryption; to anything else OpenSSL's alert is the answer. */
export const refusePlain = (firstBytes: string): BrokenRequest | undefined =>
  PLAIN_REQUEST.test(firstBytes)
    ? { status: 400, note: PLAIN_HTTP, line: /^[^\r\n]*/.exec(firstBytes)![0], isLineBroken: true }
    : undefined
