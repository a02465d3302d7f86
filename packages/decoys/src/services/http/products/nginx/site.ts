// From a request to its response: what Debian's nginx says about the files of a skin, and what stands behind it.
import { expectsContinue, type RequestHead } from '../../protocol/request.ts'
import type { HttpResponse } from '../../protocol/response.ts'
import type { Asset, Skin } from '../../protocol/skin.ts'
import type { Site } from '../../protocol/web-server.ts'
import { errorPage } from './error-page.ts'
import { serveFile, servePage } from './file-response.ts'
import { nameOfHost } from './host.ts'
import { pathOf, type Path } from './target.ts'

const FILE_METHODS = new Set(['GET', 'HEAD', 'POST'])

/** The path of the login form is passed on to an application, which reads the body first. */
export const isOfApplication = (
  { target, refusedWith }: RequestHead,
  { skin, redirectPort }: Site,
): boolean =>
  refusedWith === undefined &&
  redirectPort === undefined &&
  skin.login !== undefined &&
  pathOf(target)?.path === skin.login.path

/** client_max_body_size. */
export const MAX_BODY_BYTES = 1024 * 1024

/** Statuses with which it serves a file: only then does it look at the body, and at `Expect`, before it answers. */
const OF_FILES = new Set([200, 206, 304, 412, 416])

export const isOfFile = ({ status }: HttpResponse): boolean => OF_FILES.has(status)

export function respond(head: RequestHead, site: Site): HttpResponse {
  const isRead = isOfApplication(head, site) && head.body.kind !== 'none'
  const response = answer(head, site)
  return expectsContinue(head) && isOfFile(response) && !isRead
    ? { ...response, isContinued: true }
    : response
}

function answer(head: RequestHead, site: Site): HttpResponse {
  const { skin, redirectPort, server } = site
  const { method } = head
  const error = (status: number): HttpResponse => errorPage(status, head, server)
  if (head.refusedWith !== undefined) return error(head.refusedWith)
  const found = pathOf(head.target)
  if (!found) return error(400)
  if (head.body.length > MAX_BODY_BYTES) return error(413)
  if (redirectPort !== undefined)
    return { ...error(301), fieldsAfter: `Location: ${tlsAddress(head, site)}\r\n` }
  if (isOfApplication(head, site)) return fromApplication(head, site)
  const { path } = found
  if (skin.folders.has(path) && path !== '/') {
    if (!FILE_METHODS.has(method)) return error(405)
    return { ...error(301), fieldsBefore: `Location: ${folderAddress(head, found, site)}\r\n` }
  }
  const isFolder = isFolderPath(path, skin)
  const asset = isFolder ? indexOf(path, skin) : skin.assets.get(path)
  if (!asset) return isFolder ? error(FILE_METHODS.has(method) ? 403 : 405) : error(404)
  if (method !== 'GET' && method !== 'HEAD') return error(405)
  return serveFile(head, asset, site)
}

/** Debian's default site looks for these. */
const INDEX_FILES = ['index.html', 'index.htm', 'index.nginx-debian.html']

const indexOf = (path: string, { assets }: Skin): Asset | undefined =>
  INDEX_FILES.map((name) => assets.get(path + name)).find((asset) => asset !== undefined)

const isFolderPath = (path: string, { folders }: Skin): boolean =>
  path.endsWith('/') && folders.has(path.slice(0, -1) || '/')

/** Another server, asked over a socket of its own: it says what the form looks like, and that name and password are wrong. */
function fromApplication(head: RequestHead, site: Site): HttpResponse {
  const { method } = head
  const { login, assets } = site.skin
  const form = assets.get('/index.html')
  if (!login || !form) return errorPage(404, head, site.server)
  if (!FILE_METHODS.has(method)) return errorPage(405, head, site.server)
  return servePage(head, method === 'POST' ? login.wrongCredentials : form, site)
}

/** The client's name for this server, and the server's own port. */
function folderAddress(head: RequestHead, { path, query }: Path, site: Site): string {
  const { scheme, port } = site
  const ownPort = port === (scheme === 'https' ? '443' : '80') ? '' : `:${port}`
  return `${scheme}://${hostOf(head, site)}${ownPort}${escaped(path)}/${query ? `?${query}` : ''}`
}

/** `return 301 https://$host$request_uri`, as certbot sets it. */
function tlsAddress(head: RequestHead, site: Site): string {
  const port = site.redirectPort === 443 ? '' : `:${site.redirectPort}`
  return `https://${hostOf(head, site)}${port}${head.target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '') || '/'}`
}

function hostOf({ target, headers }: RequestHead, { name }: Site): string {
  const inTarget = /^[a-z][a-z\d+.-]*:\/\/([^/?]*)/i.exec(target)?.[1]
  const host = inTarget ?? headers.get('host')
  if (host === undefined) return name.includes(':') ? `[${name}]` : name
  return nameOfHost(host)
}

/** What nginx escapes in a path. */
const escaped = (path: string): string =>
  path.replace(
    /[\x00-\x20"#%<>?\\^`{|}\x7f-\xff]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
