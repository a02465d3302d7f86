// The event that a request raises (specification 2.2).
import type { EventFields } from '@rookery/kernel/touch.ts'
import { readable } from '../../../session/readable.ts'
import type { DecoyEvent, SessionContext } from '../../../session/session.ts'
import type { RequestHead } from './request.ts'
import type { Skin } from './skin.ts'
import { WEBROOT_SKIN } from '../webroot.ts'

/** User agents of tools that name themselves. */
const SCANNER_AGENTS =
  /nmap|nikto|sqlmap|masscan|zgrab|nuclei|gobuster|dirbuster|feroxbuster|wpscan|acunetix|nessus|openvas|qualys|whatweb|wfuzz|ffuf|censys|shodan|httpx|arachni|w3af|hydra/i
/** Paths that only scanners request. */
const SCANNER_PATHS =
  /^\/(nmaplowercheck\d*|hnap1|sdk|evox\/about|nice(%20| )ports|trinity\.txt|\.git\/|\.env|wp-login\.php|phpmyadmin|cgi-bin\/|server-status|actuator|owa\/|manager\/html|solr\/|boaform|_ignition)/i

export function requestEvent(head: RequestHead, body: Buffer, status: number, skin: Skin): DecoyEvent {
  const { method, target, headers } = head
  const header = (name: string): string => readable(headers.get(name) ?? '')
  const fields: Record<string, string | number> = {
    PATH: readable(target),
    METHOD: readable(method),
    USERAGENT: header('user-agent'),
    RESPONSE: status,
    SKIN: skin.name,
    HOSTNAME: header('host'),
  }
  const event = (logtype: string, more: EventFields = {}): DecoyEvent => ({
    logtype,
    fields: { ...fields, ...more },
  })
  const credentials = basicCredentials(headers.get('authorization')) ?? formCredentials(head, body, skin)
  if (credentials) return event('3001', credentials)
  if (
    SCANNER_AGENTS.test(headers.get('user-agent') ?? '') ||
    SCANNER_PATHS.test(target) ||
    isUncommonMethod(method)
  )
    return event('3004')
  const path = target.replace(/^https?:\/\/[^/]*/i, '')
  if (
    /^\/(api|rest|graphql|v\d)(\/|\?|$)/i.test(path) ||
    /\bjson\b/i.test(headers.get('content-type') ?? '')
  ) {
    const all = Object.fromEntries([...headers].map(([name, value]) => [readable(name), readable(value)]))
    return event('3005', { HEADERS: all, POSTDATA: readable(body.toString('latin1')) })
  }
  if (method === 'POST') return event(status >= 400 ? '3006' : '3002')
  return event(status >= 400 ? '3003' : '3000')
}

/** A TLS connection without a request, as scanners of ciphers and certificates make. */
export const silentEvent = (skin: Skin, { tls }: SessionContext): DecoyEvent => ({
  logtype: '3004',
  fields: {
    PATH: '',
    METHOD: '',
    USERAGENT: '',
    RESPONSE: 0,
    SKIN: skin.name,
    HOSTNAME: readable(tls?.serverName ?? ''),
    CHANNEL: 'TLS',
  },
})

const isUncommonMethod = (method: string): boolean =>
  !/^(GET|HEAD|POST|OPTIONS|PUT|DELETE|PATCH|CONNECT|TRACE)$/.test(method)

/** RFC 7617. */
export function basicCredentials(value: string | undefined): EventFields | undefined {
  const encoded = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(value ?? '')?.[1]
  if (!encoded) return undefined
  const text = Buffer.from(encoded, 'base64').toString('latin1')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  return { USERNAME: readable(text.slice(0, colon)), PASSWORD: readable(text.slice(colon + 1)) }
}

/** What the login form was filled with: posted to its path, or with its fields to any path. */
function formCredentials(
  { method, target, headers }: RequestHead,
  body: Buffer,
  skin: Skin,
): EventFields | undefined {
  if (method !== 'POST') return undefined
  if (skin.name === WEBROOT_SKIN) return likelyCredentials(parseForm(body, headers.get('content-type') ?? ''))
  if (!skin.login) return undefined
  const { path, username, password } = skin.login
  const form = parseForm(body, headers.get('content-type') ?? '')
  const isLogin = target.split('?', 1)[0] === path || (form.has(username) && form.has(password))
  if (!isLogin) return undefined
  return { USERNAME: readable(form.get(username) ?? ''), PASSWORD: readable(form.get(password) ?? '') }
}

/** Of a form that the Bird's user wrote, by the names of its fields. */
function likelyCredentials(form: Map<string, string>): EventFields | undefined {
  const valueOf = (pattern: RegExp): string | undefined => [...form].find(([name]) => pattern.test(name))?.[1]
  const password = valueOf(/pass|pwd|secret|^pin$/i)
  if (password === undefined) return undefined
  return { USERNAME: readable(valueOf(/user|login|name|mail/i) ?? ''), PASSWORD: readable(password) }
}

/** Names and values; latin1, one character a byte. */
function parseForm(body: Buffer, type: string): Map<string, string> {
  const text = body.toString('latin1')
  if (/^multipart\//i.test(type)) return parseParts(text.split('\r\n'))
  const pairs = text.split('&').map((pair) => {
    const equals = pair.indexOf('=')
    return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
  })
  return new Map(pairs.map(([name = '', value = '']) => [fromForm(name), fromForm(value)]))
}

const fromForm = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

const MAX_VALUE_LENGTH = 8_192

/** A value stands behind the empty line that ends the headers of its part. */
function parseParts(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const [at, line] of lines.entries()) {
    const name = lines[at + 1] === '' ? /name="?([^"\r\n;]{1,100})/.exec(line)?.[1] : undefined
    if (name !== undefined) found.set(name, (lines[at + 2] ?? '').slice(0, MAX_VALUE_LENGTH))
  }
  return found
}
