// The request line as lighttpd reads it: the version stands at its end, the method at its start, the rest is the target.
import type { BrokenRequest, RequestHead } from '../../protocol/request.ts'
import { isHostValid } from './host.ts'

export interface RequestLine extends Pick<RequestHead, 'method' | 'target'> {
  readonly version: '1.0' | '1.1'
  /** What a whole URL names as host. */
  readonly authority?: string
}

const METHODS = new Set(
  `GET HEAD QUERY POST PUT DELETE CONNECT OPTIONS TRACE ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT COPY LABEL LINK LOCK
  MERGE MKACTIVITY MKCALENDAR MKCOL MKREDIRECTREF MKWORKSPACE MOVE ORDERPATCH PATCH PROPFIND PROPPATCH REBIND REPORT
  SEARCH UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL`.split(/\s+/),
)
const MIN_BYTES = 11
const SUPPORTED = / HTTP\/1\.[01]$/
/** Another version of the protocol, as the third word; 1.0 and 1.1 with something behind them are none. */
const UNSUPPORTED = /^[^ ]* [^ ]* HTTP\/(?!1\.[01])/

/** `line` is without its line end. */
export function readRequestLine(line: string): RequestLine | BrokenRequest {
  const bad = (status: number, more: Partial<BrokenRequest> = {}): BrokenRequest => ({
    status,
    line,
    ...more,
  })
  if (line.length < MIN_BYTES) return bad(400, { isLineBroken: true })
  if (!SUPPORTED.test(line)) return bad(UNSUPPORTED.test(line) ? 505 : 400, { isLineBroken: true })
  const version = line.endsWith('1') ? '1.1' : '1.0'
  const method = line.slice(0, line.indexOf(' '))
  if (!METHODS.has(method)) return bad(501)
  const target = line.slice(method.length + 1, -' HTTP/1.1'.length)
  if (/[\x00-\x1f\x7f]/.test(target)) return bad(400)
  if (target.startsWith('/') || (target === '*' && method === 'OPTIONS')) return { method, target, version }
  const authority = /^https?:\/\/([^/]+)\//i.exec(target)?.[1]
  if (authority === undefined || !isHostValid(authority)) return bad(400)
  return { method, target, version, authority }
}
