// From a request to its response: what Debian's Apache says about the files of a skin.
import { segmentsOf, withoutDots } from '../../protocol/dot-segments.ts'
import type { RequestHead } from '../../protocol/request.ts'
import { escapeHtml, type HttpResponse } from '../../protocol/response.ts'
import type { Skin } from '../../protocol/skin.ts'
import { typeOfName } from '../../protocol/file-rules.ts'
import type { Site } from '../../protocol/web-server.ts'
import { serveFile } from './file-response.ts'
import { apacheFiles } from './files.ts'
import { iconAt } from './icons.ts'
import { badRequestText, errorPage } from './response.ts'

const ALLOW = 'Allow: GET,POST,OPTIONS,HEAD\r\n'
/** Methods that Apache knows and refuses with 405; any other gets 501. */
const KNOWN_METHODS = new Set(
  `GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK VERSION-CONTROL
  CHECKOUT UNCHECKOUT CHECKIN UPDATE LABEL REPORT MKWORKSPACE MKACTIVITY BASELINE-CONTROL MERGE`.split(/\s+/),
)
const UNAUTHORIZED =
  "<p>This server could not verify that you\nare authorized to access the document\nrequested.  Either you supplied the wrong\ncredentials (e.g., bad password), or your\nbrowser doesn't understand how to supply\nthe credentials required.</p>\n"
const MAX_SEGMENT_BYTES = 255
/** PATH_MAX of Linux without its end and Debian's `/var/www/html`. */
const MAX_PATH_BYTES = 4_095 - 13
/** Folders of Debian's mod_alias, which cannot be listed. The alias is `/icons/`: without its slash nothing is there. */
const ICON_FOLDERS = new Set(['/icons', '/icons/small'])
/** mod_status answers the machine itself only. */
const STATUS_PATH = '/server-status'

/** A POST to the login form gets the skin's page for wrong credentials. */
export function respond(head: RequestHead, site: Site): HttpResponse {
  const { skin } = site
  const { method, headers } = head
  const authority = authorityOf(head, site, site.scheme)
  const error = (status: number, html: string, fieldsBefore = ''): HttpResponse => {
    const page = errorPage(status, html, { server: site.server, ...authority })
    // Apache sends no Content-Length for an error page that HEAD asks for.
    return method === 'HEAD' ? { status, fieldsBefore, type: page.type! } : { ...page, fieldsBefore }
  }
  const notAllowed = (allow: string): HttpResponse =>
    error(405, `<p>The requested method ${escapeHtml(method)} is not allowed for this URL.</p>\n`, allow)

  const expectation = headers.get('expect') ?? ''
  if (isExpectationUnmet(head)) {
    return error(
      417,
      `<p>The expectation given in the Expect request-header\nfield could not be met by this server.\nThe client sent<pre>\n    Expect: ${escapeHtml(expectation)}\n</pre>\n</p><p>Only the 100-continue expectation is supported.</p>\n`,
    )
  }
  const moved = (location: string): HttpResponse =>
    error(
      301,
      `<p>The document has moved <a href="${escapeHtml(location)}">here</a>.</p>\n`,
      `Location: ${location}\r\n`,
    )
  if (method === 'CONNECT' && site.redirectPort !== undefined) return moved(`${tlsAddress(site, authority)}/`)
  if (method === 'CONNECT' && skin.realm === undefined) return notAllowed(ALLOW)
  if (isOfWholeServer(head)) return { status: 200, length: 0 }
  const [path, query] = pathOf(head)
  if (path === 'bad') return error(400, badRequestText())
  const notFound = (): HttpResponse => error(404, '<p>The requested URL was not found on this server.</p>\n')
  const forbidden = (): HttpResponse =>
    error(403, "<p>You don't have permission to access this resource.</p>\n")
  if (path === 'missing') return notFound()
  if (site.redirectPort !== undefined)
    return moved(
      `${tlsAddress(site, authority)}${withoutControls(path)}${query === undefined ? '' : `?${query}`}`,
    )
  if (method === 'TRACE') return notAllowed('Allow: \r\n')
  if (isTooLong(path, skin)) return forbidden()
  if (skin.realm !== undefined)
    return error(401, UNAUTHORIZED, `WWW-Authenticate: Basic realm="${skin.realm}"\r\n`)
  if (isHidden(path, skin)) return forbidden()
  if (isRedirected(path, skin)) {
    return moved(
      `${addressOf(site.scheme, authority)}${encodeURI(path)}/${query === undefined ? '' : `?${query}`}`,
    )
  }
  const folder = path.slice(0, -1) || '/'
  const isFolder = path.endsWith('/') && (skin.folders.has(folder) || ICON_FOLDERS.has(folder))
  const form = method === 'POST' && path === skin.login?.path ? skin.login : undefined
  const file = isFolder ? `${path}index.html` : path
  const asset = form ? form.wrongCredentials : (skin.assets.get(file) ?? iconAt(file))
  if (!KNOWN_METHODS.has(method)) {
    return error(501, `<p>${escapeHtml(method)} not supported for current URL.<br />\n</p>\n`, ALLOW)
  }
  const type =
    asset?.type ?? (isFolder ? 'httpd/unix-directory' : typeOfName(apacheFiles, fileNameIn(path, skin)))
  if (method === 'OPTIONS')
    return { status: 200, fieldsBefore: ALLOW, length: 0, ...(type !== undefined && { type }) }
  if (!/^(GET|HEAD|POST)$/.test(method)) return notAllowed(ALLOW)
  if (!asset) return isFolder && method !== 'POST' ? forbidden() : notFound()
  const response = serveFile(head, asset, site)
  if (response) return response
  const unsatisfiable = error(
    416,
    '<p>None of the range-specifier values in the Range\nrequest-header field overlap the current extent\nof the selected resource.</p>\n',
  )
  // Its length is not known: a client of HTTP/1.0 reads it to the close.
  return { ...unsatisfiable, isChunked: method !== 'HEAD' && head.version !== '1.0', hasLength: false }
}

/** OPTIONS of `*`, or of an address without a path (RFC 9112, 3.2.4). */
const isOfWholeServer = ({ method, target }: RequestHead): boolean =>
  method === 'OPTIONS' && /^(?:\*|https?:(?:\/\/[^/?]*)?)?(?:\?|$)/i.test(target)

const isExpectationUnmet = ({ headers }: RequestHead): boolean =>
  !/^(?:100-continue)?$/i.test(headers.get('expect') ?? '')

/** The status that Apache has for the request before it reads a body; undefined: its handler reads the body first. */
export function statusBeforeBody(
  head: RequestHead,
  { skin, redirectPort }: Pick<Site, 'skin' | 'redirectPort'>,
): number | undefined {
  if (isExpectationUnmet(head)) return 417
  const isWholeServer = isOfWholeServer(head)
  const [path] = pathOf(head)
  if (path === 'missing' && head.method !== 'CONNECT') return 404
  if (redirectPort !== undefined && !isWholeServer && path !== 'missing') return 301
  if (head.method === 'TRACE') return 405
  if (!isWholeServer && isTooLong(path, skin)) return 403
  if (skin.realm !== undefined && !isWholeServer && path !== 'missing') return 401
  if (isWholeServer) return head.method === 'OPTIONS' ? 200 : undefined
  if (head.method === 'CONNECT') return undefined
  if (isHidden(path, skin)) return 403
  if (isRedirected(path, skin)) return 301
  const isListing = path.endsWith('/') && !skin.assets.has(`${path}index.html`)
  const folder = path.slice(0, -1) || '/'
  return isListing &&
    /^(?:GET|HEAD)$/.test(head.method) &&
    (skin.folders.has(folder) || ICON_FOLDERS.has(folder))
    ? 403
    : undefined
}

/** The kernel refuses the path: its first name that is no folder, or all of it with the folder of the site. */
const isTooLong = (path: string, skin: Skin): boolean =>
  fileNameIn(path, skin).length > MAX_SEGMENT_BYTES || path.length > MAX_PATH_BYTES

/** The first part of the path that is no folder: Apache takes its type from the name, whether it is there or not. */
function fileNameIn(path: string, { folders }: Skin): string {
  const segments = path.split('/')
  const isFolder = (path: string): boolean => folders.has(path) || ICON_FOLDERS.has(path)
  const at = segments.findIndex((_, i) => i > 0 && !isFolder(segments.slice(0, i + 1).join('/')))
  return segments[at] ?? ''
}

/** Apache answers before it reads the body: a path that is none, or, to a client that waits, what needs no handler. */
export function isAnsweredEarly(
  head: RequestHead,
  site: Pick<Site, 'skin' | 'redirectPort'>,
  expectsContinue: boolean,
): boolean {
  if (head.method === 'CONNECT' || isOfWholeServer(head)) return false
  if (pathOf(head)[0] === 'bad') return !isExpectationUnmet(head)
  return expectsContinue && statusBeforeBody(head, site) !== undefined
}

const isRedirected = (path: string, skin: Skin): boolean =>
  path !== '/' && (skin.folders.has(path) || (ICON_FOLDERS.has(path) && path !== '/icons'))

/** Debian's configuration denies these. */
const isHidden = (path: string, skin: Skin): boolean =>
  fileNameIn(path, skin).startsWith('.ht') || path === STATUS_PATH || path.startsWith(`${STATUS_PATH}/`)

function pathOf({ target }: RequestHead): [path: string, query: string | undefined] {
  const [raw, query] = splitQuery(
    target.replace(/^(?:https?:(?:\/\/[^/?]*)?)?(?=$|\?)/i, '/').replace(/^https?:(?:\/\/[^/?]*)?/i, ''),
  )
  return [resolvePath(raw), query]
}

const DEFAULT_PORTS = { http: '80', https: '443' } as const

function addressOf(scheme: 'http' | 'https', { name, port }: Pick<Site, 'name' | 'port'>): string {
  const host = name.includes(':') ? `[${name}]` : name
  return `${scheme}://${host}${port === DEFAULT_PORTS[scheme] ? '' : `:${port}`}`
}

const tlsAddress = ({ redirectPort }: Site, { name }: Pick<Site, 'name'>): string =>
  addressOf('https', { name, port: String(redirectPort) })

/** The rewriting leaves a path as it was decoded. */
const withoutControls = (path: string): string => path.replace(/[\x00-\x1f\x7f]/g, encodeURIComponent)

/** Name and port that the client used; without them the server's own. */
export function authorityOf(
  { target, headers }: RequestHead,
  own: Pick<Site, 'name' | 'port'>,
  ownScheme: 'http' | 'https',
): Pick<Site, 'name' | 'port'> {
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/?]*)/i.exec(target) ?? []
  const isOwnScheme = authority !== '' && scheme.toLowerCase() === ownScheme
  const host = isOwnScheme
    ? authority
    : !scheme && /^(?!https?:)[^/*?]/i.test(target)
      ? target
      : headers.get('host')
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(host ?? '')
  if (!match?.[1]) return own
  const name = match[1]
    .replace(/^\[|\]$/g, '')
    .toLowerCase()
    .replace(/\.$/, '')
  // Of a URL of another scheme only the port counts.
  const urlPort = isOwnScheme ? undefined : /:(\d+)$/.exec(authority)?.[1]
  return { name, port: String(Number(urlPort || match[2] || own.port) & 0xffff) }
}

function splitQuery(target: string): [string, string | undefined] {
  const at = target.indexOf('?')
  return at < 0 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)]
}

/** The path without escapes, dots and double slashes. `bad`: it is no path. `missing`: it escapes a slash or a NUL. */
function resolvePath(raw: string): string {
  if (/%(?![\da-f]{2})/i.test(raw)) return 'bad'
  const hasEscapedSlash = /%(2f|00)/i.test(raw)
  const text = raw.replace(/%([\da-f]{2})/gi, (escape, code: string) =>
    /2f|00/i.test(code) ? escape : String.fromCharCode(parseInt(code, 16)),
  )
  const path = withoutDots(segmentsOf(text))
  if (path === undefined) return 'bad'
  return hasEscapedSlash ? 'missing' : path
}
