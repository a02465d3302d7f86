// An SSH client for tests that says exactly what it is told, right or wrong, to any server, and writes down the answers.
import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { plain, type Protection } from '../cipher/protection.ts'
import { ciphers } from '../cipher/suite.ts'
import { mpint, message, nameList, reader, string, u32 } from '../codec/fields.ts'
import { MSG } from '../codec/messages.ts'
import { advance, readPacket, writePacket, type Direction } from '../codec/packet.ts'
import { digest, keySource } from '../kex/keys.ts'
import { x25519 } from '../kex/x25519.ts'

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

/** Any bytes do for a test that is not about secrecy. */
const noise = (length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update('noise').digest()

export const clientKexInit = (offer: ClientOffer = usualOffer): Buffer =>
  message(
    MSG.kexInit,
    noise(16),
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

const fresh = (protection: Protection, sequence = 0): Direction => ({
  protection,
  place: { sequence, packets: 0, blocks: 0 },
})

/** Connects; resolves when the server has sent its identification. */
export async function openClient(port: number, host = '127.0.0.1') {
  const socket: Socket = connect({ host, port })
  socket.on('error', () => {})
  let inbox: Buffer = Buffer.alloc(0)
  let isClosed = false
  let wake = (): void => {}
  socket.on('data', (bytes) => {
    inbox = Buffer.concat([inbox, bytes])
    wake()
  })
  socket.on('close', () => {
    isClosed = true
    wake()
  })
  let inbound = fresh(plain)
  let outbound = fresh(plain)
  let isStrict = false
  let serverInit: Buffer = Buffer.alloc(0)

  const changed = (): Promise<void> => new Promise((resolve) => (wake = resolve))

  /** The next line, or what is left when the connection closes. */
  async function line(): Promise<string> {
    for (;;) {
      const end = inbox.indexOf('\n')
      if (end >= 0 || isClosed) {
        const text = inbox.subarray(0, end < 0 ? inbox.length : end + 1).toString('latin1')
        inbox = inbox.subarray(text.length)
        return text
      }
      await changed()
    }
  }

  /** The next payload; undefined when the connection is closed. */
  async function receive(): Promise<Buffer | undefined> {
    for (;;) {
      const read = inbox.length > 0 ? readPacket(inbox, inbound) : undefined
      if (read && 'frame' in read) {
        if (read.frame.kind === 'corrupt') throw new Error('the server sent a corrupt packet')
        inbox = inbox.subarray(read.length)
        inbound = advance(inbound, read.frame.packetLength)
        return read.frame.payload
      }
      if (isClosed) return undefined
      await changed()
    }
  }

  function pack(payload: Buffer): Buffer {
    const { bytes, direction } = writePacket(payload, outbound, noise)
    outbound = direction
    return bytes
  }

  const ident = await line()
  return {
    ident,
    line,
    receive,
    pack,
    write: (bytes: Buffer | string) => void socket.write(bytes),
    send: (payload: Buffer) => void socket.write(pack(payload)),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    get isClosed() {
      return isClosed
    },
    get serverInit() {
      return serverInit
    },

    /** Waits until the server has closed and writes down everything that it still says. */
    async rest(): Promise<string[]> {
      const said: string[] = []
      try {
        for (let payload = await receive(); payload; payload = await receive()) said.push(describe(payload))
      } catch {
        while (!isClosed) await changed()
        said.push(`text ${inbox.toString('latin1')}`)
      }
      return [...said, 'closed']
    },

    /** Runs the key exchange; resolves with the messages that came before the server's new keys came into use. */
    async exchange(
      offer: ClientOffer = usualOffer,
    ): Promise<{ hostKey: string; extInfo: string | undefined }> {
      const clientInit = clientKexInit(offer)
      socket.write(`${CLIENT_IDENT}\r\n`)
      socket.write(pack(clientInit))
      serverInit = (await receive())!
      const secretKey = noise(32)
      const own = x25519(secretKey, Buffer.from('09'.padEnd(64, '0'), 'hex'))!.publicKey
      socket.write(pack(message(MSG.kexFirst, string(own))))
      const fields = reader((await receive())!.subarray(1))
      const [hostKey, peer] = [fields.string(), fields.string()]
      const secret = mpint(x25519(secretKey, peer)!.secret)
      const hash = digest(
        'sha256',
        ...[CLIENT_IDENT, ident.trimEnd(), clientInit, serverInit, hostKey, own, peer].map(string),
        secret,
      )
      const build = (way: 'toServer' | 'toClient'): Protection =>
        ciphers[offer.ciphers[0]!]!.build(keySource('sha256', secret, hash, hash, way), offer.macs[0])
      await receive()
      isStrict = serverInit.includes('kex-strict-s') && offer.kex.includes('kex-strict-c-v00@openssh.com')
      inbound = fresh(build('toClient'), isStrict ? 0 : inbound.place.sequence)
      socket.write(pack(Buffer.from([MSG.newKeys])))
      outbound = fresh(build('toServer'), isStrict ? 0 : outbound.place.sequence)
      const extInfo = offer.kex.includes('ext-info-c') ? describe((await receive())!) : undefined
      return { hostKey: reader(hostKey).string().toString(), extInfo }
    },
  }
}

/** One line for one message of a server. */
export function describe(payload: Buffer): string {
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
