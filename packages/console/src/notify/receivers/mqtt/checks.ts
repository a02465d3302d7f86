// What is wrong with the address of a broker, its account and the prefix of topics, before it is added.
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { hostPortText } from '../../../addresses/host-port.ts'
import { brokerAt } from '../../senders/mqtt-session.ts'

/** In the one spelling, with its port. */
export function checkedUrl(text: string): string {
  if (!URL.canParse(text)) throw invalidParameter('url', 'must be a URL, such as mqtts://broker.example.com')
  const url = new URL(text)
  const at = brokerAt(url)
  if (!at) throw invalidParameter('url', 'must begin with mqtts:// (MQTT over TLS) or mqtt://')
  if (url.username !== '' || url.password !== '')
    throw invalidParameter('url', 'must carry no credentials; give user and password')
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '')
    throw invalidParameter('url', 'must be without a path and a query; prefix says where topics begin')
  // What is no scheme of the Web keeps its host as it was written, and percent-encoded.
  const [, raw = ''] = /^\w+:\/\/(\[[^\]]*\]|[^/:?#]*)/.exec(text.trim()) ?? []
  const bare = raw.replace(/^\[(.*)\]$/, '$1')
  const host = isIP(bare) === 0 ? domainToASCII(bare) : bare
  if (host === '') throw invalidParameter('url', 'must name the host of a broker')
  return `${url.protocol}//${hostPortText(host, at.port)}`
}

/** MQTT 3.1.1, 4.7: what a topic may be that somebody publishes to, and others find. */
export function checkPrefix(prefix: string): void {
  const wrong = (reason: string) => invalidParameter('prefix', `${reason}, such as rookery or site/rookery`)
  if (/[#+]/.test(prefix)) throw wrong('must be without # and +, which stand for other topics')
  if (prefix.startsWith('$')) throw wrong('must not begin with $, where topics are the broker’s own')
  if (!prefix.isWellFormed() || /[\u0000-\u001f\u007f-\u009f]/.test(prefix))
    throw wrong('must be without control characters')
  if (prefix.split('/').includes('')) throw wrong('must be levels with a single / between them')
}

export function checkAccount(user: string, password: string): void {
  for (const [name, text] of Object.entries({ user, password }))
    if (!text.isWellFormed() || text.includes('\0')) throw invalidParameter(name, 'must be text without NUL')
  if (password !== '' && user === '') throw invalidParameter('user', 'is required with password')
}
