// Version 2: binary (section 2.2).
//
//     byte  0 … 11      12                  13                    14, 15       16 …
//          ┌───────────┬─────────┬─────────┬────────┬───────────┬────────────┬───────────┬──────┐
//          │ signature │ version │ command │ family │ transport │ length, BE │ addresses │ TLVs │
//          │           │ 4 bits  │ 4 bits  │ 4 bits │ 4 bits    │            │           │      │
//          └───────────┴─────────┴─────────┴────────┴───────────┴────────────┴───────────┴──────┘
import { limit } from '@rookery/kernel/limit.ts'
import { crc32c } from '@rookery/spool/crc32c.ts'
import { plainAddress } from '../../../addresses/ranges.ts'
import { INCOMPLETE, refused, type ProxyHeader } from './proxy-header.ts'
import { ipv6Text } from './ipv6-text.ts'

export const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')

/** A PROXY header of version 2: balancers keep to one packet, and what they add of TLS takes some hundred bytes more. */
const BYTES = limit('proxy_header_bytes', 4 * 1024)

const FIXED = 16
const VERSION = 2
const COMMAND = { local: 0, proxy: 1 } as const
const TRANSPORT = { unspecified: 0, stream: 1, datagram: 2 } as const
const TLV_HEADER = 3
const TLV_CRC32C = 3
const CRC_BYTES = 4

interface Family {
  /** Two addresses, and two ports where it has them. */
  readonly bytes: number
  /** The first of them as text; undefined where it is none of IP. */
  readonly client: (addresses: Buffer) => string | undefined
}

/** By its number: none, IPv4, IPv6, Unix. */
const FAMILIES: readonly Family[] = [
  { bytes: 0, client: () => undefined },
  { bytes: 12, client: (addresses) => addresses.subarray(0, 4).join('.') },
  {
    bytes: 36,
    client: (addresses) =>
      plainAddress(
        ipv6Text(Array.from({ length: 8 }, (_, at) => addresses.readUInt16BE(2 * at).toString(16)).join(':')),
      ),
  },
  { bytes: 216, client: () => undefined },
]

/** Of bytes that begin with the signature. */
export function readBinary(bytes: Buffer): ProxyHeader {
  if (bytes.length < FIXED) return INCOMPLETE
  const [versionAndCommand = 0, familyAndTransport = 0] = bytes.subarray(12, 14)
  const length = FIXED + bytes.readUInt16BE(14)
  const command = versionAndCommand & 15
  const [familyNumber, transport] = [familyAndTransport >> 4, familyAndTransport & 15]
  if (versionAndCommand >> 4 !== VERSION) return refused('its PROXY header is of no known version')
  if (command !== COMMAND.local && command !== COMMAND.proxy)
    return refused('its PROXY header has no known command')
  if (length > BYTES.max) {
    BYTES.hit()
    return refused(`its PROXY header has ${length} bytes, and the most are ${BYTES.max}`)
  }
  const own: ProxyHeader = { name: 'whole', bytes: length, client: undefined }
  // The balancer's own connection, such as a health check: family and addresses mean nothing.
  if (command === COMMAND.local) return bytes.length < length ? INCOMPLETE : own
  const family = FAMILIES[familyNumber]
  if (!family || transport > TRANSPORT.datagram)
    return refused('its PROXY header has no known family and transport')
  if (length < FIXED + family.bytes) return refused('its PROXY header is too short for its addresses')
  if (bytes.length < length) return INCOMPLETE
  // What is not known to be TCP is as if nothing was said.
  if (transport !== TRANSPORT.stream || familyNumber === 0) return own
  const header = bytes.subarray(0, length)
  const wrong = problemOfTlvs(header, FIXED + family.bytes)
  return wrong === undefined ? { ...own, client: family.client(header.subarray(FIXED)) } : refused(wrong)
}

/** Each must end within the header (2.2), and a checksum must be right (2.2.3); nothing else is read of them. */
function problemOfTlvs(header: Buffer, start: number): string | undefined {
  for (let at = start; at < header.length;) {
    if (at + TLV_HEADER > header.length) return 'a field of its PROXY header is cut off'
    const value = at + TLV_HEADER
    const end = value + header.readUInt16BE(at + 1)
    if (end > header.length) return 'a field of its PROXY header is longer than the header'
    if (header[at] === TLV_CRC32C && (end - value !== CRC_BYTES || !isChecksum(header, value)))
      return 'the checksum of its PROXY header is wrong'
    at = end
  }
  return undefined
}

/** Over the whole header, with zeros in the place of the sum. */
function isChecksum(header: Buffer, at: number): boolean {
  const zeroed = Buffer.from(header).fill(0, at, at + CRC_BYTES)
  return crc32c(zeroed) === header.readUInt32BE(at)
}
