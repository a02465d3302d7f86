// An answer as text, without what differs between two machines with the same agent.
import { oidOf, oidText, readerOf, TAG } from '../../../src/services/snmp/protocol/ber.ts'

/** Names and times of the machine and of its agent; what usmStats count. */
const OWN =
  /^1\.3\.6\.1\.(?:2\.1\.1\.(?:[1358]\.0|9\.1\.4\.\d+)|2\.1\.25\.1\.[1246]\.0|6\.3\.15\.1\.1\.[34]\.0)$/

/** Elements by their tags in hexadecimal, one in another. */
export function described(bytes: Buffer): string {
  try {
    return elements(bytes).replace(/^(30\[02:03 30\[[^\]]*\] )04:\S+ 30\[04:\S+/, '$1SECURITY 30[ENGINE')
  } catch {
    return `(no BER) ${bytes.toString('hex')}`
  }
}

function elements(bytes: Buffer): string {
  const reader = readerOf(bytes)
  const parts: string[] = []
  let name = ''
  while (!reader.isAtEnd()) {
    const { tag, value } = reader.next()
    const isOwn = OWN.test(name)
    name = tag === TAG.oid ? oidText(oidOf(value)) : ''
    const label = tag.toString(16).padStart(2, '0')
    if (tag === TAG.sequence || tag >= 0xa0) parts.push(`${label}[${elements(value)}]`)
    else parts.push(`${label}:${isOwn ? 'OWN' : name || value.toString('hex')}`)
  }
  return parts.join(' ')
}

/** Of what was recorded: the one datagram that was answered. */
export const mask = (text: string): string => (text === '' ? '' : described(Buffer.from(text, 'latin1')))
