// Why a connection to the console failed, and what would be right, for people who have just written its address.
import { byWord } from '@rookery/kernel/by-word.ts'

/** `path` is that of the link, which a proxy must pass on. */
export function failureReason({ message, code = '' }: NodeJS.ErrnoException, path: string): string {
  // `ws` names the status alone of an answer that is no WebSocket.
  const [, status] = /^Unexpected server response: (\d+)$/.exec(message) ?? []
  if (status === '503') return 'the console takes no further link at the moment (HTTP 503)'
  if (status !== undefined)
    return `the answer is HTTP ${status} and no WebSocket: a proxy in between must pass \`Upgrade\` for ${path}; without one, the address must be that of a Rookery console`
  // OpenSSL's words have a number of the thread and a line feed in them.
  if (/wrong version number/.test(message)) return NO_TLS
  const hint = HINTS[message] ?? HINTS[code]
  const text = message || code || 'unknown error'
  return hint === undefined ? text : `${text}: ${hint}`
}

const NO_TLS =
  'the port answers without TLS: an address of the console that begins with https needs the port of ROOKERY_TLS_LISTEN'

const UNKNOWN_NAME =
  "no address is known for this name: correct the address of the console, or this machine's DNS or /etc/hosts"

const NO_WAY = "no way leads there: correct the address of the console, or this machine's network"

/** By the message of `ws` and of Node's HTTP client, or by the code of the system. */
const HINTS = byWord<string>({
  ECONNREFUSED:
    'nothing listens there. The console must run, and have HTTPS (ROOKERY_TLS_LISTEN) if its address begins with https',
  ENOTFOUND: UNKNOWN_NAME,
  EAI_AGAIN: UNKNOWN_NAME,
  EHOSTUNREACH: NO_WAY,
  ENETUNREACH: NO_WAY,
  ETIMEDOUT: 'a firewall may be in between',
  'Opening handshake has timed out': 'a firewall may be in between',
  'socket hang up':
    'the connection was closed without an answer. If it is a port of HTTPS, the address must begin with https',
})
