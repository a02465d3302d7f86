// SSH_MSG_KEXINIT (RFC 4253, 7.1): who can do what, in order of preference.
//
//   byte 20 | byte[16] cookie | 10 name-lists | boolean first_kex_packet_follows | uint32 0
import { nameList, message, reader, u32 } from './fields.ts'
import { MSG } from './messages.ts'

export interface Offer {
  readonly kex: readonly string[]
  readonly hostKeys: readonly string[]
  readonly ciphers: readonly string[]
  readonly macs: readonly string[]
  readonly compression: readonly string[]
}

export interface KexInit {
  readonly kex: readonly string[]
  readonly hostKeys: readonly string[]
  /** What the client sends with, and what it wants to receive with. */
  readonly toServer: Way
  readonly toClient: Way
  readonly isGuessSent: boolean
}

export interface Way {
  readonly ciphers: readonly string[]
  readonly macs: readonly string[]
  readonly compression: readonly string[]
}

/** `cookie`: 16 random bytes. */
export const kexInit = ({ kex, hostKeys, ciphers, macs, compression }: Offer, cookie: Buffer): Buffer =>
  message(
    MSG.kexInit,
    cookie,
    ...[kex, hostKeys, ciphers, ciphers, macs, macs, compression, compression, [], []].map(nameList),
    Buffer.from([0]),
    u32(0),
  )

/** Undefined when the payload is not a whole KEXINIT. */
export function readKexInit(payload: Buffer): KexInit | undefined {
  const fields = reader(payload)
  fields.skip(1 + 16)
  const [kex, hostKeys, ciphersIn, ciphersOut, macsIn, macsOut, compressionIn, compressionOut] = Array.from(
    { length: 10 },
    () => fields.names(),
  ) as [string[], string[], string[], string[], string[], string[], string[], string[]]
  const isGuessSent = fields.boolean()
  fields.u32()
  if (!fields.isWhole) return undefined
  return {
    kex,
    hostKeys,
    toServer: { ciphers: ciphersIn, macs: macsIn, compression: compressionIn },
    toClient: { ciphers: ciphersOut, macs: macsOut, compression: compressionOut },
    isGuessSent,
  }
}

/** The first name of the client that the server has too (RFC 4253, 7.1). */
export const common = (client: readonly string[], server: readonly string[]): string | undefined =>
  client.find((name) => server.includes(name))
