// The embedded web server of a printer: pages about its state for everybody, its settings behind name and password.
import { openSsl30 } from '../../../../machine/openssl-3.0.ts'
import type { TlsProfile } from '../../../../session/tls-server.ts'
import type { BrokenRequest, RequestHead } from '../../protocol/request.ts'
import type { HttpResponse } from '../../protocol/response.ts'
import type { Asset } from '../../protocol/skin.ts'
import type { PendingRequest, Site, WebServer } from '../../protocol/web-server.ts'
import { decode } from './codec.ts'
import { pathOf } from './path.ts'
import { connection, errorPage, serialize } from './response.ts'

const TIMEOUT_MS = 30_000
/** Such a device has little memory for what is posted to it. */
const MAX_BODY_BYTES = 64 * 1024

const profile: TlsProfile = {
  name: 'printer',
  ...openSsl30({ hasTickets: false, ciphers: 'default' }),
  sessionSeconds: 300,
}

export const printer: WebServer = {
  product: 'debut/1.20',
  limits: { requests: 1, bodyBytes: MAX_BODY_BYTES, idleMs: TIMEOUT_MS },
  decode,
  patienceMs: () => TIMEOUT_MS,
  timeOut: () => undefined,
  bodyPlan: ({ body }) => (body.length > MAX_BODY_BYTES ? { status: 413, line: '' } : 'read'),
  respond,
  refuse,
  connection,
  serialize,
  tls: { profile, handshakeMs: TIMEOUT_MS, refuse: () => undefined, mostReadBytes: Infinity },
}

/** Pages that change something: for the administrator. */
const ADMIN_PATHS = /^\/admin(?:\/|$)/i

function respond(head: RequestHead, site: Site): HttpResponse {
  const { method, target, version } = head
  const { skin, redirectPort } = site
  const path = pathOf(target) ?? ''
  const isVersion10 = version === '1.0'
  const sent = ({ body, ...response }: HttpResponse): HttpResponse => ({
    ...response,
    isVersion10,
    ...(body !== undefined && (method === 'HEAD' ? { length: body.length } : { body })),
  })
  if (redirectPort !== undefined) return sent(moved(tlsAddress(head, site, redirectPort)))
  const { realm } = skin
  if (realm !== undefined && ADMIN_PATHS.test(path))
    return sent({ ...errorPage(401), fieldsBefore: `WWW-Authenticate: Basic realm="${realm}"\r\n` })
  if (path === '/' && skin.startPath !== undefined) return sent(moved(skin.startPath))
  const asset = skin.assets.get(path.endsWith('/') ? `${path}index.html` : path)
  return sent(asset ? { status: 200, type: asset.type, body: counted(asset, site) } : errorPage(404))
}

const COUNTER = /<!--counter (\w+)-->/g

/** Pages are made as they are asked for: `<!--counter copies-->` stands where the number of copies goes. */
function counted({ type, bytes }: Asset, { pageCounts }: Site): Buffer {
  const page = bytes.toString('latin1')
  if (type !== 'text/html' || page.search(COUNTER) < 0) return bytes
  const { prints, copies, faxes, jams, drumLeft } = pageCounts()
  const counts: Readonly<Record<string, number | string>> = {
    pages: prints + copies + faxes,
    prints,
    copies,
    faxes,
    jams,
    drumLeft: `${drumLeft} %`,
  }
  return Buffer.from(
    page.replace(COUNTER, (_, name: string) => String(counts[name] ?? '')),
    'latin1',
  )
}

const moved = (location: string): HttpResponse => ({ status: 301, fieldsBefore: `Location: ${location}\r\n` })

function tlsAddress({ target, headers }: RequestHead, { name }: Site, port: number): string {
  const host = (headers.get('host') ?? name).replace(/:\d*$/, '')
  return `https://${host}${port === 443 ? '' : `:${port}`}${target.replace(/^https?:\/\/[^/]*/i, '')}`
}

function refuse({ status, line }: BrokenRequest, { head }: PendingRequest): HttpResponse {
  const isVersion10 = head ? head.version === '1.0' : !line.endsWith('HTTP/1.1')
  return { ...errorPage(status), isVersion10 }
}
