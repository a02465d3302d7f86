// What nginx answers to a request that it cannot serve.
import type { BodyProgress, BrokenRequest, RequestHead } from '../../protocol/request.ts'
import type { HttpResponse } from '../../protocol/response.ts'
import type { PendingRequest, Site } from '../../protocol/web-server.ts'
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
  // Without a head even HEAD has a body.
  const method = isLineBroken || isBare ? '' : (line.split(' ', 1)[0] ?? '')
  return { method, headers, version: isBare ? '0.9' : '1.1' }
}

const PLAIN_REQUEST_STATUS = 497
/** The first byte alone decides: a handshake, or a hello of SSL 2. */
const BEGINS_TLS = /^[\x16\x80-\xff]/

/** A request that is not encrypted is read to its end. */
export const isPartOfRequest = (firstBytes: Buffer): boolean =>
  firstBytes.length > 0 &&
  !BEGINS_TLS.test(firstBytes.toString('latin1', 0, 1)) &&
  decode(firstBytes, undefined) === undefined

/** A request at the port of TLS is answered; to anything else OpenSSL's alert is the answer. */
export function refusePlain(firstBytes: string): BrokenRequest | undefined {
  if (BEGINS_TLS.test(firstBytes)) return undefined
  const decoded = decode(Buffer.from(firstBytes, 'latin1'), undefined)
  if (!decoded || !('frame' in decoded)) return undefined
  if ('status' in decoded.frame) return decoded.frame
  if (!('head' in decoded.frame)) return undefined
  const { head } = decoded.frame
  const { method, target, version, headers, refusedWith = PLAIN_REQUEST_STATUS } = head
  const refusal = { status: refusedWith, line: `${method} ${target}`, headers }
  if (version === '0.9') return { ...refusal, isBare: true }
  const restOfBody = restOf(head, Buffer.from(firstBytes, 'latin1').subarray(decoded.length))
  return { ...refusal, ...(restOfBody && { restOfBody }) }
}

/** What is still to come of a body that has begun; undefined: nothing, or it is broken. */
function restOf({ body }: RequestHead, begun: Buffer): BodyProgress {
  if (body.kind === 'none') return undefined
  let rest: NonNullable<BodyProgress> =
    body.kind === 'chunked' ? { kind: 'chunked' } : { kind: 'length', left: body.length }
  for (let at = 0; at < begun.length;) {
    const decoded = decode(begun.subarray(at), rest)
    if (!decoded || !('frame' in decoded)) return rest
    const { frame, length } = decoded
    if (!('bodyPart' in frame) || frame.isLast) return undefined
    const { bodyPart, chunkLeft: left } = frame
    rest =
      rest.kind === 'chunked'
        ? { kind: 'chunked', ...(left !== undefined && { left }) }
        : { kind: 'length', left: rest.left - bodyPart.length }
    at += length
  }
  return rest
}
