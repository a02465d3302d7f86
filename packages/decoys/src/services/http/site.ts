// From a request to its answer: what Debian's Apache would say about these files.
import { badRequest, errorPage, escapeHtml, type Answer } from './answer.ts'
import type { Head } from './codec.ts'
import { serveFile } from './files.ts'
import type { Skin } from './skin.ts'

export interface Site {
  readonly skin: Skin
  readonly server: string
  /** Under which name and port errors without a Host are signed. */
  readonly name: string
  readonly now: number
  readonly boundary: () => string
}

const ALLOW = 'Allow: GET,POST,OPTIONS,HEAD\r\n'
/** Methods that Apache knows by name and refuses with 405; the rest are 501. */
const KNOWN = new Set(
  `GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK VERSION-CONTROL
  CHECKOUT UNCHECKOUT CHECKIN UPDATE LABEL REPORT MKWORKSPACE MKACTIVITY BASELINE-CONTROL MERGE`.split(/\s+/),
)
const SEGMENT_MAX = 255

/** `login`: the refusal page is what answers a POST to the login form. */
export function visit(head: Head, site: Site): Answer {
  const { skin } = site
  const { method, headers } = head
  const where = address(head, site)
  const error = (status: number, text: string, first = ''): Answer => {
    const page = errorPage(status, text, { server: site.server, ...where })
    // To HEAD the page is not even measured.
    return method === 'HEAD' ? { status, first, type: page.type! } : { ...page, first }
  }
  const notAllowed = (allow: string): Answer =>
    error(405, `<p>The requested method ${escapeHtml(method)} is not allowed for this URL.</p>\n`, allow)

  const expectation = headers.get('expect')
  if (expectation !== undefined && !/^100-continue$/i.test(expectation)) {
    return error(
      417,
      `<p>The expectation given in the Expect request-header\nfield could not be met by this server.\nThe client sent<pre>\n    Expect: ${escapeHtml(expectation)}\n</pre>\n</p><p>Only the 100-continue expectation is supported.</p>\n`,
    )
  }
  if (method === 'TRACE') return notAllowed('Allow: \r\n')
  if (method === 'CONNECT') return notAllowed(ALLOW)
  if (head.target === '*') return { status: 200, length: 0 }
  const [raw = '', query] = split(head.target.replace(/^https?:\/\/[^/]*/i, '') || '/')
  const path = resolvePath(raw)
  if (path === 'bad') return error(400, badRequest())
  const notFound = (): Answer => error(404, '<p>The requested URL was not found on this server.</p>\n')
  const forbidden = (): Answer => error(403, "<p>You don't have permission to access this resource.</p>\n")
  if (path === 'missing') return notFound()
  const segments = path.split('/')
  if (segments.some((segment) => segment.length > SEGMENT_MAX)) return forbidden()
  if (/^\.ht/.test(segments.at(-1)!)) return forbidden()
  if (path !== '/' && skin.folders.has(path)) {
    const port = where.port === '80' ? '' : `:${where.port}`
    const name = where.name.includes(':') ? `[${where.name}]` : where.name
    const to = `http://${name}${port}${encodeURI(path)}/${query === undefined ? '' : `?${query}`}`
    return error(
      301,
      `<p>The document has moved <a href="${escapeHtml(to)}">here</a>.</p>\n`,
      `Location: ${to}\r\n`,
    )
  }
  const isFolder = path.endsWith('/') && skin.folders.has(path.slice(0, -1) || '/')
  const isLogin = method === 'POST' && path === skin.login.path
  const asset = isLogin ? skin.refusal : skin.assets.get(isFolder ? `${path}index.html` : path)
  if (!KNOWN.has(method)) {
    return error(501, `<p>${escapeHtml(method)} not supported for current URL.<br />\n</p>\n`, ALLOW)
  }
  if (method === 'OPTIONS')
    return { status: 200, first: ALLOW, length: 0, ...(asset && { type: asset.type }) }
  if (!/^(GET|HEAD|POST)$/.test(method)) return notAllowed(ALLOW)
  if (!asset) return isFolder && method !== 'POST' ? forbidden() : notFound()
  const answer = serveFile(head, asset, skin.modifiedAt, site)
  if (answer) return answer
  const beyond = error(
    416,
    '<p>None of the range-specifier values in the Range\nrequest-header field overlap the current extent\nof the selected resource.</p>\n',
  )
  return { ...beyond, isChunked: true }
}

/** Name and port that the client used; without any, the server's own. */
function address({ target, headers }: Head, { name }: Site): { name: string; port: string } {
  const host =
    /^https?:\/\/([^/]*)/i.exec(target)?.[1] ?? (/^[^/*]/.test(target) ? target : headers.get('host'))
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(host ?? '')
  if (!match?.[1]) return { name, port: '80' }
  return { name: match[1].replace(/^\[|\]$/g, '').toLowerCase(), port: match[2] || '80' }
}

function split(target: string): [string, string | undefined] {
  const at = target.indexOf('?')
  return at < 0 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)]
}

/** The path without escapes, dots and double slashes; `bad` when it is no path, `missing` when it hides a slash or a NUL. */
function resolvePath(raw: string): string {
  if (/%(?![\da-f]{2})/i.test(raw)) return 'bad'
  const isHidden = /%(2f|00)/i.test(raw)
  const text = raw.replace(/%([\da-f]{2})/gi, (escape, code: string) =>
    /2f|00/i.test(code) ? escape : String.fromCharCode(parseInt(code, 16)),
  )
  const kept: string[] = []
  const segments = text
    .replace(/\/{2,}/g, '/')
    .slice(1)
    .split('/')
  for (const [i, segment] of segments.entries()) {
    const isLast = i === segments.length - 1
    if (segment === '.') {
      if (isLast) kept.push('')
    } else if (segment === '..') {
      if (kept.pop() === undefined) return 'bad'
      if (isLast) kept.push('')
    } else kept.push(segment)
  }
  return isHidden ? 'missing' : `/${kept.join('/')}`
}
