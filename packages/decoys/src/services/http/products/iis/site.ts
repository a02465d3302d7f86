// From a request to its response: request filtering, then the modules of IIS for static files.
import type { RequestHead } from '../../protocol/request.ts'
import { escapeHtml, type HttpResponse } from '../../protocol/response.ts'
import type { Asset, Skin } from '../../protocol/skin.ts'
import type { Site } from '../../protocol/web-server.ts'
import { errorPage } from './error-page.ts'
import { serveFile } from './file-response.ts'
import { pathOf, type Path } from './target.ts'

const VERBS = 'OPTIONS, TRACE, GET, HEAD, POST'
const ALLOWED: HttpResponse = {
  status: 200,
  length: 0,
  fieldsBefore: `Allow: ${VERBS}\r\n`,
  fieldsAfter: `Public: ${VERBS}\r\n`,
}
/** The order of the default documents of IIS 10. */
const INDEX_FILES = ['default.htm', 'default.asp', 'index.htm', 'index.html', 'iisstart.htm']

export function respond(head: RequestHead, site: Site): HttpResponse {
  const { method, target } = head
  const { skin, redirectPort } = site
  if (target === '*') return ALLOWED
  const found = pathOf(target)
  if (!found || isFiltered(found, head)) return errorPage(404, head)
  if (redirectPort !== undefined) return moved(tlsAddress(head, found, site, redirectPort), head)
  if (method === 'OPTIONS') return ALLOWED
  if (method === 'TRACE') return errorPage(501, head)
  const path = found.path.replace(/\/{2,}/g, '/').toLowerCase()
  const { assets, folders } = caseless(skin)
  const folder = path.slice(0, -1) || '/'
  if (path !== '/' && folders.has(path)) return moved(folderAddress(head, found, site), head)
  const isFolder = path.endsWith('/') && folders.has(folder)
  const asset = isFolder ? indexOf(path, assets) : assets.get(path)
  if (!asset) return errorPage(isFolder && isRead(method) ? 403 : isFolder ? 405 : 404, head)
  if (!isRead(method))
    return { ...errorPage(405, head), fieldsBefore: 'Allow: GET, HEAD, OPTIONS, TRACE\r\n' }
  return serveFile(head, asset)
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

const indexOf = (path: string, assets: ReadonlyMap<string, Asset>): Asset | undefined =>
  INDEX_FILES.map((name) => assets.get(path + name)).find((asset) => asset !== undefined)

/** Names of files have no case on Windows. */
interface CaselessFiles {
  readonly assets: ReadonlyMap<string, Asset>
  readonly folders: ReadonlySet<string>
}

const caselessBySkin = new WeakMap<Skin, CaselessFiles>()

function caseless(skin: Skin): CaselessFiles {
  const known = caselessBySkin.get(skin)
  if (known) return known
  const made = {
    assets: new Map([...skin.assets].map(([path, asset]) => [caselessPath(path), asset])),
    folders: new Set([...skin.folders].map(caselessPath)),
  }
  caselessBySkin.set(skin, made)
  return made
}

const caselessPath = (path: string): string => Buffer.from(path, 'latin1').toString('utf8').toLowerCase()

/** requestLimits: maxUrl, maxQueryString and maxAllowedContentLength. */
const MAX_URL_CHARACTERS = 4_096
const MAX_QUERY_CHARACTERS = 2_048
const MAX_BODY_BYTES = 30_000_000
const HIDDEN_SEGMENTS =
  /(?:^|\/)(?:web\.config|bin|app_(?:code|globalresources|localresources|webreferences|data|browsers))(?:\/|$)/i
const DENIED_ENDINGS =
  /\.(?:asax|ascx|master|skin|browser|sitemap|config|cs|csproj|vb|vbproj|webinfo|licx|resx|resources|mdb|vjsproj|java|jsl|ldb|dsdgm|ssdgm|lsad|ssmap|cd|dsprototype|lsaprototype|sdm|sdmdocument|mdf|ldf|ad|dd|ldd|sd|adprototype|lddprototype|exclude|refresh|compiled|msgx|vsdisco|rules)$/i

/** The default rules of request filtering: 404.7, .8, .11, .13, .14 and .15, which remote clients see as a 404. */
function isFiltered({ path, query, raw }: Path, { body }: RequestHead): boolean {
  return (
    raw.length > MAX_URL_CHARACTERS ||
    (query?.length ?? 0) > MAX_QUERY_CHARACTERS ||
    body.length > MAX_BODY_BYTES ||
    HIDDEN_SEGMENTS.test(path) ||
    DENIED_ENDINGS.test(path) ||
    // Double escaping: a second decoding would change it.
    /%[\da-f]{2}/i.test(path) ||
    raw.includes('+')
  )
}

function moved(location: string, { method }: RequestHead): HttpResponse {
  const body = `<head><title>Document Moved</title></head>\n<body><h1>Object Moved</h1>This document may be found <a HREF="${escapeHtml(location)}">here</a></body>`
  const redirect = {
    status: 301,
    type: 'text/html; charset=UTF-8',
    fieldsBefore: `Location: ${location}\r\n`,
  }
  return method === 'HEAD' ? { ...redirect, length: body.length } : { ...redirect, body }
}

const search = ({ query }: Path): string => (query === undefined ? '' : `?${query}`)

function folderAddress(head: RequestHead, found: Path, site: Site): string {
  const host = hostOf(head, site)
  return `${site.scheme}://${host}${found.raw}/${search(found)}`
}

function tlsAddress(head: RequestHead, found: Path, site: Site, port: number): string {
  const host = hostOf(head, site).replace(/:\d*$/, '')
  return `https://${host}${port === 443 ? '' : `:${port}`}${found.raw}${search(found)}`
}

function hostOf({ target, headers }: RequestHead, { name, scheme, port }: Site): string {
  const inTarget = /^https?:\/\/([^/?]+)/i.exec(target)?.[1]
  if (inTarget !== undefined) return inTarget
  const own = `${name.includes(':') ? `[${name}]` : name}${port === (scheme === 'https' ? '443' : '80') ? '' : `:${port}`}`
  return headers.get('host') ?? own
}
