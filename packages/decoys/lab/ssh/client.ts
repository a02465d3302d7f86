// An SSH client for tests: it sends exactly what a test wants, right or wrong, to any server, and describes the answers.
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { unencrypted, type Protection } from '../../src/services/ssh/protocol/cipher/protection.ts'
import { ciphers } from '../../src/services/ssh/protocol/cipher/ciphers.ts'
import { message, nameList, reader, string, u32 } from '../../src/services/ssh/protocol/codec/fields.ts'
import { MSG } from '../../src/services/ssh/protocol/codec/messages.ts'
import {
  advance,
  newDirection,
  readPacket,
  withNewKeys,
  writePacket,
  type Direction,
} from '../../src/services/ssh/protocol/codec/packet.ts'
import { digest, keySource } from '../../src/services/ssh/protocol/kex/keys.ts'
import { keyShare } from './key-share.ts'
import { socketReader } from './socket-reader.ts'

export interface ClientOffer {
  readonly kex: readonly string[]
  readonly hostKeys: readonly string[]
  readonly ciphers: readonly string[]
  readonly macs: readonly string[]
  readonly compression: readonly string[]
  readonly isGuessSent: boolean
}

export const usualOffer: ClientOffer = {
  kex: ['curve25519-sha256', 'ext-info-c', 'kex-strict-c-v00@openssh.com'],
  hostKeys: ['ssh-ed25519'],
  ciphers: ['chacha20-poly1305@openssh.com'],
  macs: ['hmac-sha2-256-etm@openssh.com'],
  compression: ['none'],
  isGuessSent: false,
}

export const CLIENT_IDENT = 'SSH-2.0-Probe_1.0'

/** Instead of random bytes, so that every run sends the same. */
const fixedBytes = (length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update('noise').digest()

export const clientKexInit = (offer: ClientOffer = usualOffer): Buffer =>
  message(
    MSG.kexInit,
    fixedBytes(16),
    ...[
      offer.kex,
      offer.hostKeys,
      offer.ciphers,
      offer.ciphers,
      offer.macs,
      offer.macs,
      offer.compression,
      offer.compression,
      [],
      [],
    ].map(nameList),
    Buffer.from([offer.isGuessSent ? 1 : 0]),
    u32(0),
  )

const STRICT_CLIENT = 'kex-strict-c-v00@openssh.com'

/** Connects; resolves when the server has sent its identification. */
export async function openClient(port: number, host = '127.0.0.1', localAddress?: string) {
  const socket = connect({ host, port, ...(localAddress && { localAddress }) })
  const input = socketReader(socket)
  const directions = { inbound: newDirection(unencrypted), outbound: newDirection(unencrypted) }

  /** The next line; what is left when the connection closes. */
  async function line(): Promise<string> {
    const found = await input.read((bytes) => {
      const end = bytes.indexOf('\n')
      return end < 0 ? undefined : { value: bytes.toString('latin1', 0, end + 1), length: end + 1 }
    })
    return found ?? (await input.remainder()).toString('latin1')
  }

  /** The next payload; undefined when the connection is closed. */
  const receive = (): Promise<Buffer | undefined> =>
    input.read((bytes) => {
      const read = readPacket(bytes, directions.inbound)
      if (!read || !('frame' in read)) return undefined
      if (read.frame.kind === 'corrupt') throw new Error('the server sent a corrupt packet')
      directions.inbound = advance(directions.inbound, read.frame.packetLength)
      return { value: read.frame.payload, length: read.length }
    })

  function pack(payload: Buffer): Buffer {
    const { bytes, direction } = writePacket(payload, directions.outbound, fixedBytes)
    directions.outbound = direction
    return bytes
  }

  const ident = await line()
  const client = {
    ident,
    line,
    receive,
    pack,
    write: (bytes: Buffer | string) => void socket.write(bytes),
    send: (payload: Buffer) => void socket.write(pack(payload)),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    /** What the server ended the connection with. */
    close: () => input.close,

    /** Waits until the server has closed, and describes everything that it still sends. */
    async rest(): Promise<string[]> {
      const said: string[] = []
      try {
        for (let payload = await receive(); payload; payload = await receive()) said.push(describe(payload))
      } catch {
        said.push(`text ${(await input.remainder()).toString('latin1')}`)
      }
      return [...said, 'closed']
    },

    /** Runs the key exchange, and uses its keys from then on. */
    exchange: (offer: ClientOffer = usualOffer) => runExchange(client, directions, offer),
  }
  return client
}

export interface Directions {
  inbound: Direction
  outbound: Direction
}

export interface Transport {
  readonly ident: string
  send(payload: Buffer): void
  write(bytes: string): void
  receive(): Promise<Buffer | undefined>
}

/** Over any transport; `directions` are under the new keys behind it. */
export async function runExchange(
  { ident, send, write, receive }: Transport,
  directions: Directions,
  offer: ClientOffer,
): Promise<{ readonly hostKey: string; readonly extInfo: string | undefined }> {
  const clientInit = clientKexInit(offer)
  write(`${CLIENT_IDENT}\r\n`)
  send(clientInit)
  const serverInit = (await receive())!
  const share = keyShare(offer.kex[0]!)
  send(message(MSG.kexFirst, string(share.publicKey)))
  const fields = reader((await receive())!.subarray(1))
  const [hostKey, answer] = [fields.string(), fields.string()]
  const secret = share.secret(answer)
  const hash = digest(
    share.hash,
    ...[CLIENT_IDENT, ident.trimEnd(), clientInit, serverInit, hostKey, share.publicKey, answer].map(string),
    secret,
  )
  const build = (direction: 'toServer' | 'toClient'): Protection =>
    ciphers[offer.ciphers[0]!]!.build(keySource(share.hash, secret, hash, hash, direction), offer.macs[0])
  await receive()
  const isStrict = serverInit.includes('kex-strict-s') && offer.kex.includes(STRICT_CLIENT)
  directions.inbound = withNewKeys(directions.inbound, build('toClient'), isStrict)
  send(Buffer.from([MSG.newKeys]))
  directions.outbound = withNewKeys(directions.outbound, build('toServer'), isStrict)
  const extInfo = offer.kex.includes('ext-info-c') ? describe((await receive())!) : undefined
  return { hostKey: reader(hostKey).string().toString(), extInfo }
}

/** A message of a server as one line of text. */
function describe(payload: Buffer): string {
  const fields = reader(payload.subarray(1))
  switch (payload[0]) {
    case MSG.disconnect:
      return `disconnect ${fields.u32()} ${fields.string().toString()}`
    case MSG.unimplemented:
      return `unimplemented ${fields.u32()}`
    case MSG.serviceAccept:
      return `service-accept ${fields.string().toString()}`
    case MSG.authFailure:
      return `auth-failure ${fields.string().toString()} ${fields.boolean()}`
    case MSG.authBanner:
      return `auth-banner ${JSON.stringify(fields.string().toString())}`
    case MSG.extInfo: {
      const count = fields.u32()
      return `ext-info ${Array.from({ length: count }, () => `${fields.string().toString()}=${fields.string().toString()}`).join(' ')}`
    }
    case MSG.kexInit:
      return 'kexinit'
    default:
      return `message ${payload[0]} (${payload.length} bytes)`
  }
}
