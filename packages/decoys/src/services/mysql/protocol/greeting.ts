// What a server of the MySQL protocol sends before it knows a password.
import { byte, packet, u16, u32, zeroTerminated } from './codec.ts'
import type { Version } from './version.ts'

export const SALT_BYTES = 20
const AUTOCOMMIT = 2
const PROTOCOL = 10

export interface HandshakeFields {
  readonly banner: string
  readonly version: Version
  readonly threadId: number
  readonly salt: Buffer
}

/** Protocol::HandshakeV10. */
export const greetingPacket = ({ banner, version, threadId, salt }: HandshakeFields): Buffer =>
  packet(
    0,
    byte(PROTOCOL),
    zeroTerminated(banner),
    u32(threadId),
    salt.subarray(0, 8),
    byte(0),
    u16(version.capabilities & 0xffff),
    byte(version.collation),
    u16(AUTOCOMMIT),
    u16(version.capabilities >>> 16),
    byte(SALT_BYTES + 1),
    Buffer.alloc(6),
    u32(version.ownCapabilities),
    salt.subarray(8),
    byte(0),
    zeroTerminated(version.plugin),
  )

/** Protocol::AuthSwitchRequest: asks the client to answer again, by the plug-in of its account. */
export const switchRequest = (sequence: number, plugin: string, salt: Buffer): Buffer =>
  packet(sequence, byte(0xfe), zeroTerminated(plugin), salt, byte(0))

/** Protocol::AuthMoreData. */
export const moreData = (sequence: number, data: Buffer): Buffer => packet(sequence, byte(1), data)

const DOLLAR = 36

export function drawSalt(random: (length: number) => Buffer, kind: Version['salt']): Buffer {
  const drawn = random(SALT_BYTES)
  if (kind === 'printable') return Buffer.from(drawn.map((value) => 33 + (value % 94)))
  return Buffer.from(
    drawn.map((value) => {
      const low = value & 0x7f
      return low === 0 || low === DOLLAR ? low + 1 : low
    }),
  )
}
