// Request targets as squid 5.7 reads them: how its pages show them, or that they are none.
import { isIPv6 } from 'node:net'
import { byWord } from '@rookery/kernel/by-word.ts'

/** Schemes with a port of their own; squid forwards some of them. */
const PORTS = byWord<number>({
  http: 80,
  https: 443,
  ftp: 21,
  cache_object: 3128,
  wais: 210,
  whois: 43,
  coap: 5683,
  coaps: 5684,
})
const MAX_TARGET = 8_191
const MAX_HOST = 255

export interface Target {
  /** What its pages call it: without what stands behind a question mark. */
  readonly shown: string
  readonly whole: string
  readonly scheme: string
  readonly host: string
  /** The path, as its page about an invalid request repeats it. */
  readonly path: string
}

interface Surroundings {
  /** What stands before the paths that squid answers itself, such as `http://proxy:3128`. */
  readonly proxy: string
  /** The request has a Host, which is made anew of the URL. */
  readonly hasHost: boolean
}

/** Undefined: an invalid URL. */
export function readTarget(
  method: string,
  target: string,
  { proxy, hasHost }: Surroundings,
): Target | undefined {
  const url = isInternal(target) ? proxy + target : target
  if (url.length > MAX_TARGET) return undefined
  if (method === 'CONNECT') return readAuthority(url)
  const read = readAny(method, url)
  if (!read) return undefined
  // An empty name gets the port of its scheme then.
  const fill = (text: string): string => text.replace(/^http:\/\/(?=[/*])/, 'http://:80')
  return {
    ...read,
    ...(hasHost && { shown: fill(read.shown), whole: fill(read.whole) }),
  }
}

/** Methods that each scheme is asked with; OPTIONS and TRACE with all. */
export function isForwarded(method: string, { scheme, path }: Target): boolean {
  if (path === '*') return false
  if (/^(?:CONNECT|OPTIONS|TRACE)$/.test(method)) return true
  if (/^(?:http|https|cache_object|urn)$/.test(scheme)) return true
  if (scheme === 'ftp' && method === 'PUT') return true
  return /^(?:ftp|wais|whois)$/.test(scheme) && /^(?:GET|HEAD)$/.test(method)
}

function readAny(method: string, url: string): Target | undefined {
  if (url === '*' && (method === 'OPTIONS' || method === 'TRACE'))
    return { shown: 'http://*', whole: 'http://*', scheme: 'http', host: '', path: '*' }
  const [whole, name = ''] = /^([a-z][a-z\d+._-]{0,15}):/i.exec(url) ?? []
  if (whole === undefined) return undefined
  const scheme = name.toLowerCase()
  const rest = url.slice(whole.length)
  return scheme === 'urn' ? readUrn(rest) : rest.startsWith('//') ? readUrl(scheme, rest.slice(2)) : undefined
}

/** Squid answers it itself. */
export const isInternal = (target: string): boolean =>
  /^\/squid-internal-(?:mgr|static|dynamic|periodic)/.test(target)

function readUrn(rest: string): Target | undefined {
  const [, id = ''] = /^([a-z\d][a-z\d-]{0,30}[a-z\d]):/i.exec(rest) ?? []
  if (id === '') return undefined
  const whole = `urn:${rest}`
  return { shown: whole, whole, scheme: 'urn', host: id, path: rest.slice(id.length + 1) }
}

function readUrl(scheme: string, rest: string): Target | undefined {
  const at = rest.search(/[/?#\s]/)
  const authority = at < 0 ? rest : rest.slice(0, at)
  const behind = (at < 0 ? '' : rest.slice(at)).split('\r', 1)[0]!
  const path = (behind.startsWith('/') ? behind : `/${behind}`).replace(/[ \t\f]/g, '')
  const login = authority.lastIndexOf('@')
  const place = splitPort(authority.slice(login + 1))
  const port = place?.port ?? PORTS[scheme] ?? 0
  const host = place && readHost(place.host)
  if (host === undefined || port < 1 || port > 65_535) return undefined
  const user = scheme === 'ftp' && login > 0 ? authority.slice(0, login + 1) : ''
  const shownPort = port === PORTS[scheme] ? '' : `:${port}`
  const whole = `${scheme}://${user}${host}${shownPort}${path}`
  return { shown: withoutQuery(whole), whole, scheme, host: host + shownPort, path }
}

const withoutQuery = (path: string): string => path.replace(/\?[^]*$/, '?')

/** Undefined: there is no host. A name with several colons has no port. */
function splitPort(text: string): { host: string; port: number | undefined } | undefined {
  if (text === '') return undefined
  if (text.startsWith('[')) {
    const end = text.indexOf(']')
    if (end < 0) return { host: text.slice(1), port: undefined }
    const colon = text.indexOf(':', end)
    return {
      host: text.slice(1, end),
      port: colon < 0 ? undefined : leadingNumber(text.slice(colon + 1)),
    }
  }
  const colon = text.indexOf(':')
  if (colon < 0 || text.lastIndexOf(':') !== colon) return { host: text, port: undefined }
  return { host: text.slice(0, colon), port: leadingNumber(text.slice(colon + 1)) }
}

const leadingNumber = (text: string): number => Number(/^[+-]?\d{1,15}/.exec(text)?.[0] ?? 0)

/** In lower case, without dots at its end, addresses as they are usually written. Undefined: none that squid takes. */
function readHost(text: string): string | undefined {
  let end = text.length
  while (end > 0 && text[end - 1] === '.') end -= 1
  const host = text.slice(0, end).toLowerCase()
  if (host.startsWith('.') || host.includes('..')) return undefined
  return ipv4(host) ?? ipv6(host) ?? host.slice(0, MAX_HOST)
}

/** As inet_aton(3): one to four numbers, of which the last fills what is left; octal and hexadecimal ones, too. */
function ipv4(host: string): string | undefined {
  if (!/^(?:(?:0x[\da-f]{1,8}|\d{1,12})(?:\.(?!$)|$)){1,4}$/.test(host)) return undefined
  const numbers = host.split('.').map((part) => (/^0[0-7]+$/.test(part) ? parseInt(part, 8) : Number(part)))
  const last = numbers.pop()!
  if (numbers.some((one) => !(one < 256)) || !(last < 256 ** (4 - numbers.length))) return undefined
  const address = numbers.reduce((sum, one, at) => sum + one * 256 ** (3 - at), last)
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}

function ipv6(host: string): string | undefined {
  if (!isIPv6(host) || host.includes('%')) return undefined
  const text = new URL(`http://[${host}]`).hostname
  const mapped = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(text)
  if (!mapped) return text
  const [high, low] = [parseInt(mapped[1]!, 16), parseInt(mapped[2]!, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Of CONNECT: `[address]:port` or `host:port`, as scanf(3) finds them; port 443 where there is none. */
function readAuthority(target: string): Target | undefined {
  const [, bracketed, plain = '', digits] =
    /^(?:\[([^\]]+)\]?|([^:]+))(?::([+-]?\d{1,15}))?/.exec(target) ?? []
  const name = bracketed ?? plain
  const port = digits === undefined ? 443 : Number(digits)
  const host = name === '' ? undefined : readHost(name.replace(/[ \t\v\f\r]/g, ''))
  if (host === undefined || port < 1 || port > 65_535) return undefined
  const whole = `${host}:${port}`
  const shown = port === 443 ? `https://${host}/*` : whole
  return { shown, whole, scheme: '', host: whole, path: '' }
}
