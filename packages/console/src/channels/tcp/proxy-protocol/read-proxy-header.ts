// The header with which a load balancer begins a connection: it names the client whose bytes follow (PROXY protocol, HAProxy's
// doc/proxy-protocol.txt). What does not match exactly is refused, as soon as that is known.
import { readBinary, SIGNATURE } from './header-v2.ts'
import { readText } from './header-v1.ts'
import { INCOMPLETE, refused, type ProxyHeader } from './proxy-header.ts'

const VERSIONS = [
  { start: Buffer.from('PROXY '), read: readText },
  { start: SIGNATURE, read: readBinary },
] as const

/** Reads the first bytes of a connection, in either version (2.2, at its end). */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  for (const { start, read } of VERSIONS) {
    const length = Math.min(bytes.length, start.length)
    if (bytes.compare(start, 0, length, 0, length) !== 0) continue
    return length < start.length ? INCOMPLETE : read(bytes)
  }
  return refused('it does not begin with a PROXY header')
}
