// Version 1: one line of ASCII (section 2.1), such as `PROXY TCP4 192.0.2.7 203.0.113.5 56324 443` and CR LF.
import { byWord } from '@rookery/kernel/by-word.ts'
import { isIPv4, isIPv6 } from 'node:net'
import { plainAddress } from '../../../addresses/ranges.ts'
import { INCOMPLETE, refused, type ProxyHeader } from './proxy-header.ts'
import { ipv6Text } from './ipv6-text.ts'

/** The longest line with its CR LF: UNKNOWN, and every field full. */
const MAX_BYTES = 107
const PORT = /^(?:0|[1-9]\d{0,4})$/

const FAMILIES = byWord<(text: string) => boolean>({
  // Node's check takes no leading zero.
  TCP4: isIPv4,
  // No zone: the address must be good on this machine, too.
  TCP6: (text) => isIPv6(text) && !text.includes('%'),
})

/** Of bytes that begin with `PROXY `. */
export function readText(bytes: Buffer): ProxyHeader {
  const [line = ''] = /^[^\n]*\n?/.exec(bytes.toString('latin1', 0, MAX_BYTES)) ?? []
  // Neither CR nor LF stands alone.
  if (!/^[^\r\n]*(?:\r\n?)?$/.test(line)) return refused('its PROXY line does not end with CR LF')
  if (!line.endsWith('\n'))
    return bytes.length < MAX_BYTES ? INCOMPLETE : refused('its PROXY line does not end')
  const text = line.slice(0, -2)
  // What follows UNKNOWN is to be ignored.
  if (/^PROXY UNKNOWN(?: |$)/.test(text)) return { name: 'whole', bytes: line.length, client: undefined }
  const [, family = '', source = '', destination = '', ...ports] = text.split(' ')
  const isAddress = Object.hasOwn(FAMILIES, family) ? FAMILIES[family] : undefined
  const isRight =
    isAddress?.(source) === true &&
    isAddress(destination) &&
    ports.length === 2 &&
    ports.every((port) => PORT.test(port) && Number(port) <= 65_535)
  if (!isRight) return refused('its PROXY line is not TCP4 or TCP6, two such addresses and two ports')
  return {
    name: 'whole',
    bytes: line.length,
    client: family === 'TCP4' ? source : plainAddress(ipv6Text(source)),
  }
}
