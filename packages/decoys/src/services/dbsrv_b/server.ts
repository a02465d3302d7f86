// What a server of the MySQL protocol says of itself.
import { byte, packet, u16, u32, zeroTerminated } from './codec.ts'

/** A product and how it is configured. */
export interface Product {
  /** Lower and upper half, without TLS where it is off. */
  readonly capabilities: number
  /** MariaDB's own, which stand in its greeting behind those of MySQL. */
  readonly ownCapabilities: number
  /** Collation of the server. */
  readonly collation: number
  /** The method that is offered first. */
  readonly plugin: string
}

/** As the package of Debian 12 installs it, with a certificate. */
export const MARIADB: Product = {
  capabilities: 0x81ff_fffe,
  ownCapabilities: 0x1d,
  collation: 45,
  plugin: 'mysql_native_password',
}

export const SALT_BYTES = 20
const AUTOCOMMIT = 2
const PROTOCOL = 10

export interface HandshakeFields {
  readonly banner: string
  readonly product: Product
  readonly threadId: number
  readonly salt: Buffer
}

/** Protocol::HandshakeV10. */
export const greetingPacket = ({ banner, product, threadId, salt }: HandshakeFields): Buffer =>
  packet(
    0,
    byte(PROTOCOL),
    zeroTerminated(banner),
    u32(threadId),
    salt.subarray(0, 8),
    byte(0),
    u16(product.capabilities & 0xffff),
    byte(product.collation),
    u16(AUTOCOMMIT),
    u16(product.capabilities >>> 16),
    byte(SALT_BYTES + 1),
    Buffer.alloc(6),
    u32(product.ownCapabilities),
    salt.subarray(8),
    byte(0),
    zeroTerminated(product.plugin),
  )

/** Asks the client to answer again, by the plug-in of its account. */
export const switchRequest = (sequence: number, plugin: string, salt: Buffer): Buffer =>
  packet(sequence, byte(0xfe), zeroTerminated(plugin), salt, byte(0))

/** Printable, as MariaDB draws it: 94 characters from `!` on. */
export const drawSalt = (random: (length: number) => Buffer): Buffer =>
  random(SALT_BYTES).map((value) => 33 + (value % 94)) as Buffer
