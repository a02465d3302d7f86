// From a request to its response: what lighttpd says about the files of a skin.
import type { RequestHead } from '../../protocol/request.ts'
import type { HttpResponse } from '../../protocol/response.ts'
import type { Asset, Skin } from '../../protocol/skin.ts'
import type { Site } from '../../protocol/web-server.ts'
import { serveFile } from './file-response.ts'
import { errorPage } from './response.ts'
import { escapedPath, pathOf, type Path } from './target.ts'

const ALLOW = 'Allow: OPTIONS, GET, HEAD, POST\r\n'
const FILE_METHODS = new Set(['GET', 'HEAD', 'QUERY', 'POST'])
/** url.access-deny of Debian's configuration. */
const DENIED = /(?:~|\.inc)$/

export function respond(head: RequestHead, site: Site): HttpResponse {
  const { skin } = site
  const { method, target, version } = head
  const error = (status: number): HttpResponse => errorPage(status, head)
  const plain = { isVersion10: version === '1.0', length: 0 }
  const moved = (location: string): HttpResponse => ({
    status: 301,
    fieldsBefore: `Location: ${location}\r\n`,
    isVersion10: version === '1.0',
    ...(method !== 'HEAD' && { length: 0 }),
  })
  const allowed: HttpResponse = { ...plain, status: 200, fieldsBefore: ALLOW }
  if (target === '*') return allowed
  const found = pathOf(target)
  const refused = { ...error(405), isLast: true }
  // Of CONNECT alone the target is not checked.
  if (!found) return refused
  const { path, query } = found
  if (DENIED.test(path)) return error(403)
  if (site.redirectPort !== undefined) return moved(tlsAddress(head, found, site.redirectPort))
  if (method === 'CONNECT') return refused
  const search = query === undefined ? '' : `?${query}`
  if (path !== '/' && skin.folders.has(path)) return moved(`${path}/${search}`)
  const isFolder = path.endsWith('/') && skin.folders.has(path.slice(0, -1) || '/')
  const asset = isFolder ? skin.assets.get(`${path}index.html`) : fileOf(path, head, skin)
  if (!asset && !isFolder) return error(404)
  if (method === 'OPTIONS') return allowed
  if (!FILE_METHODS.has(method)) return error(501)
  return asset ? serveFile(head, asset) : error(403)
}

/** What follows the name of a file is left to applications (PATH_INFO). */
function fileOf(path: string, { method }: RequestHead, { assets, login }: Skin): Asset | undefined {
  if (method === 'POST' && path === login?.path) return login.wrongCredentials
  for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) {
    const asset = assets.get(path.slice(0, at))
    if (asset) return asset
  }
  return undefined
}

/** `url.redirect = ("" => "https://${url.authority}${url.path}${qsa}")`, as lighttpd's documentation has it. */
function tlsAddress({ headers }: RequestHead, { path, query }: Path, redirectPort: number): string {
  const authority = (headers.get('host') ?? '').toLowerCase().replace(/:(?:80)?$/, '')
  const host = redirectPort === 443 ? authority : `${authority.replace(/:\d+$/, '')}:${redirectPort}`
  return `https://${host}${escapedPath(path)}${query === undefined ? '' : `?${query}`}`
}
