// Reads the TCP segment of an IP packet: what a scan's event tells of it.

/** How a port is tried: by which flags (Fyodor, "Nmap Network Scanning", chapters 5 and 8). */
export type Technique = 'syn' | 'null' | 'fin' | 'xmas' | 'os'

/** By the flags of the segment, ECE and CWR left out. No other segment without ACK and RST is a scan's. */
const TECHNIQUES: ReadonlyMap<number, Technique> = new Map([
  [0x02, 'syn'],
  [0x00, 'null'],
  [0x01, 'fin'],
  [0x29, 'xmas'],
  // SYN, FIN, PSH and URG: the third probe of nmap's OS detection.
  [0x2b, 'os'],
])

export const technique = (flags: number): Technique | undefined => TECHNIQUES.get(flags & 0x3f)

/** What IP and TCP headers say besides addresses, ports and flags; of IPv6 the fields that stand for those of IPv4. */
export interface HeaderFacts {
  readonly id: number
  /** Of the whole packet, in bytes. */
  readonly length: number
  /** The byte with type of service (RFC 791), or the traffic class (RFC 8200). */
  readonly tos: number
  readonly ttl: number
  /** The three reserved bits of TCP. */
  readonly reserved: number
  readonly window: number
  readonly urgent: number
}

export interface Segment {
  readonly src: string
  readonly dst: string
  readonly srcPort: number
  readonly dstPort: number
  readonly technique: Technique
  readonly header: HeaderFacts
}

const TCP = 6
const TCP_HEADER = 20
const IPV4_HEADER = 20
const IPV6_HEADER = 40

/** Undefined for bytes that are no scan probe, and for those that end before the end of their headers. */
export function decode(bytes: Buffer): Segment | undefined {
  const version = (bytes[0] ?? 0) >> 4
  if (version === 4) return decodeV4(bytes)
  return version === 6 ? decodeV6(bytes) : undefined
}

/**
 *   RFC 791:  0 version, header length · 1 TOS · 2 length · 4 id · 6 flags, offset · 8 TTL · 9 protocol · 12 src · 16 dst
 */
function decodeV4(bytes: Buffer): Segment | undefined {
  const start = (bytes[0]! & 0x0f) * 4
  if (start < IPV4_HEADER || bytes.length < start + TCP_HEADER || bytes[9] !== TCP) return undefined
  if ((bytes.readUInt16BE(6) & 0x1f_ff) !== 0) return undefined
  return segment(bytes, start, {
    src: ipv4At(bytes, 12),
    dst: ipv4At(bytes, 16),
    length: bytes.readUInt16BE(2),
    id: bytes.readUInt16BE(4),
    tos: bytes[1]!,
    ttl: bytes[8]!,
  })
}

/** RFC 8200:  0 version, traffic class, flow label · 4 payload length · 6 next header · 7 hop limit · 8 src · 24 dst */
function decodeV6(bytes: Buffer): Segment | undefined {
  if (bytes.length < IPV6_HEADER + TCP_HEADER || bytes[6] !== TCP) return undefined
  return segment(bytes, IPV6_HEADER, {
    src: ipv6At(bytes, 8),
    dst: ipv6At(bytes, 24),
    length: IPV6_HEADER + bytes.readUInt16BE(4),
    id: bytes.readUInt32BE(0) & 0x0f_ff_ff,
    tos: (bytes.readUInt16BE(0) >> 4) & 0xff,
    ttl: bytes[7]!,
  })
}

type IpFacts = Pick<Segment, 'src' | 'dst'> & Pick<HeaderFacts, 'length' | 'id' | 'tos' | 'ttl'>

/** RFC 9293:  0 source port · 2 destination port · 12 offset, reserved · 13 flags · 14 window · 18 urgent pointer */
function segment(bytes: Buffer, start: number, { src, dst, ...ip }: IpFacts): Segment | undefined {
  const tried = technique(bytes[start + 13]!)
  if (tried === undefined) return undefined
  return {
    src,
    dst,
    srcPort: bytes.readUInt16BE(start),
    dstPort: bytes.readUInt16BE(start + 2),
    technique: tried,
    header: {
      ...ip,
      reserved: (bytes[start + 12]! >> 1) & 0x07,
      window: bytes.readUInt16BE(start + 14),
      urgent: bytes.readUInt16BE(start + 18),
    },
  }
}

const ipv4At = (bytes: Buffer, at: number): string =>
  `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`

/** As RFC 5952 writes it: the first longest run of zero groups, at least two, is `::`. */
function ipv6At(bytes: Buffer, at: number): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(at + 2 * index).toString(16))
  const runs = groups.map((_, from) => zerosFrom(groups, from))
  const longest = Math.max(...runs)
  if (longest < 2) return groups.join(':')
  const from = runs.indexOf(longest)
  return `${groups.slice(0, from).join(':')}::${groups.slice(from + longest).join(':')}`
}

function zerosFrom(groups: readonly string[], from: number): number {
  const end = groups.findIndex((group, index) => index >= from && group !== '0')
  return (end === -1 ? groups.length : end) - from
}
