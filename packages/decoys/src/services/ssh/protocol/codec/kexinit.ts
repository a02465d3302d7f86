// SSH_MSG_KEXINIT (RFC 4253, 7.1): the algorithms of one side, in order of preference.
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
  readonly toServer: DirectionAlgorithms
  readonly toClient: DirectionAlgorithms
  /** `first_kex_packet_follows`: the client has sent the first message of its preferred method. */
  readonly isGuessSent: boolean
}

export interface DirectionAlgorithms {
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

/** Undefined when the payload is no complete KEXINIT. */
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

/** The client's first name that the server has too (RFC 4253, 7.1). */
export const firstCommon = (client: readonly string[], server: readonly string[]): string | undefined =>
  client.find((name) => server.includes(name))
