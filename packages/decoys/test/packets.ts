// IP packets with a TCP segment, as a scanner sends them.

export interface PacketParts {
  readonly flags: number
  readonly srcPort?: number
  readonly dstPort?: number
  /** Of the last byte of the source address. */
  readonly host?: number
  readonly ttl?: number
  readonly tos?: number
  readonly window?: number
  readonly urgent?: number
  readonly reserved?: number
  /** Words of IPv4 options. */
  readonly options?: number
  readonly fragmentOffset?: number
  readonly protocol?: number
}

export const FLAGS = { syn: 0x02, null: 0x00, fin: 0x01, xmas: 0x29, os: 0x2b } as const

/** From 10.77.9.<host> to 10.77.9.2. */
export function ipv4Packet(parts: PacketParts): Buffer {
  const { options = 0, host = 1, ttl = 64, tos = 0, fragmentOffset = 0, protocol = 6 } = parts
  const header = Buffer.alloc(20 + 4 * options)
  header[0] = 0x40 | (5 + options)
  header[1] = tos
  header.writeUInt16BE(header.length + 20, 2)
  header.writeUInt16BE(0x1234, 4)
  header.writeUInt16BE(fragmentOffset, 6)
  header[8] = ttl
  header[9] = protocol
  header.set([10, 77, 9, host], 12)
  header.set([10, 77, 9, 2], 16)
  return Buffer.concat([header, tcpHeader(parts)])
}

/** Between these addresses, each of 16 bytes. */
export function ipv6Packet(parts: PacketParts, src: Buffer, dst: Buffer): Buffer {
  const { ttl = 64, tos = 0, protocol = 6 } = parts
  const header = Buffer.alloc(40)
  header.writeUInt32BE((0x60_00_00_00 | (tos << 20) | 0x1234) >>> 0, 0)
  header.writeUInt16BE(20, 4)
  header[6] = protocol
  header[7] = ttl
  header.set(src, 8)
  header.set(dst, 24)
  return Buffer.concat([header, tcpHeader(parts)])
}

function tcpHeader({
  flags,
  srcPort = 40_000,
  dstPort = 22,
  window = 1_024,
  urgent = 0,
  reserved = 0,
}: PacketParts) {
  const header = Buffer.alloc(20)
  header.writeUInt16BE(srcPort, 0)
  header.writeUInt16BE(dstPort, 2)
  header[12] = 0x50 | (reserved << 1)
  header[13] = flags
  header.writeUInt16BE(window, 14)
  header.writeUInt16BE(urgent, 18)
  return header
}
