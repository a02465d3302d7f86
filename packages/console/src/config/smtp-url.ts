// ROOKERY_SMTP_URL and ROOKERY_SMTP_FROM, read.
import { domainToASCII } from 'node:url'

export interface MailServer {
  readonly host: string
  readonly port: number
  /** `wrapped` speaks TLS from the first byte (smtps); the others are STARTTLS (RFC 3207). */
  readonly tls: 'wrapped' | 'required' | 'offered' | 'never'
  readonly login: { readonly user: string; readonly pass: string } | undefined
}

const SUBMISSION = 587
const SUBMISSIONS = 465

/**
 * Reads `smtp://` or `smtps://[user:password@]host[:port][?starttls=required|offered|never]`; undefined for anything
 * else. Without the parameter STARTTLS is used if the server offers it. It is required with a password, because an attacker
 * on the path could remove the offer.
 */
export function readSmtpUrl(text: string): MailServer | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isWrapped = url.protocol === 'smtps:'
  if ((!isWrapped && url.protocol !== 'smtp:') || url.hostname === '') return undefined
  if (!['', '/'].includes(url.pathname) || url.hash !== '') return undefined
  const wish = url.searchParams.get('starttls')
  const isKnown = [...url.searchParams.keys()].every((name) => name === 'starttls')
  if (!isKnown || (wish !== null && (isWrapped || !isStarttls(wish)))) return undefined
  const login = readLogin(url)
  if (login === 'unreadable' || (login && wish === 'never')) return undefined
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isWrapped ? SUBMISSIONS : SUBMISSION) : Number(url.port),
    tls: isWrapped ? 'wrapped' : wish !== null && isStarttls(wish) ? wish : login ? 'required' : 'offered',
    login,
  }
}

const isStarttls = (text: string): text is 'required' | 'offered' | 'never' =>
  ['required', 'offered', 'never'].includes(text)

function readLogin({ username, password }: URL): MailServer['login'] | 'unreadable' {
  if (username === '') return password === '' ? undefined : 'unreadable'
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  } catch {
    return 'unreadable'
  }
}

export interface Sender {
  readonly name: string
  readonly address: string
}

/** Reads `address` or `Name <address>`; undefined for anything else. */
export function readSender(text: string): Sender | undefined {
  if (/[\p{Cc}"\\]/u.test(text)) return undefined
  const named = /^([^<>]*)<([^<>]+)>$/.exec(text.trim())
  const address = mailAddress(named?.[2] ?? text)
  return address === undefined ? undefined : { name: named?.[1]?.trim() ?? '', address }
}

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/**
 * A mail address in its canonical spelling: a dot-atom (RFC 5322, 3.2.3), `@`, a domain in ASCII, lower
 * case; undefined for anything else, so that no character of it has a meaning in SMTP or in a header.
 */
export function mailAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  const local = trimmed.slice(0, at)
  const domain = asciiDomain(trimmed.slice(at + 1))
  if (at < 1 || local.length > 64 || !LOCAL.test(local) || domain === undefined) return undefined
  const address = `${local}@${domain}`
  return address.length > 254 ? undefined : address
}

function asciiDomain(domain: string): string | undefined {
  // domainToASCII also accepts ports, paths, and numbers as addresses.
  if (domain === '' || /[\s\p{Cc}/\\?#@:[\]%<>^|]/u.test(domain)) return undefined
  const ascii = domainToASCII(domain)
  const labels = ascii.split('.')
  // A name whose last label is a number is an IP address (WHATWG URL, 3.5).
  const isName = labels.every((label) => LABEL.test(label)) && /[a-z]/.test(labels.at(-1) ?? '')
  return isName && ascii.length <= 253 ? ascii : undefined
}
