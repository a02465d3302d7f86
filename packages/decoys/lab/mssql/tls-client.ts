// A client that agrees on encryption with the decoy over a socket, and sends its login through it.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { message, packet, prelogin, TYPE } from './client.ts'

const HEADER_BYTES = 8
const PACKET_BYTES = 4_096

export interface TlsClient {
  readonly socket: Socket
  readonly tls: TLSSocket
  /** Types of the packets around the records of the server's handshake. */
  readonly wrappers: readonly number[]
  /** What comes on the socket once the handshake is over is records, unless this is called. */
  readonly leaveTls: () => void
  /** Bytes that came unencrypted since then. */
  readonly unencrypted: () => Promise<Buffer>
}

/** Resolves when the handshake is done. */
export async function openTls(
  port: number,
  encryption: number,
  options: ConnectionOptions = {},
): Promise<TlsClient> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(packet(TYPE.prelogin, prelogin({ encryption })))
  await once(socket, 'data')
  const wrappers: number[] = []
  const records = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      socket.write(isSecured ? bytes : message(TYPE.prelogin, bytes, PACKET_BYTES))
      done()
    },
  })
  let isSecured = false
  let waiting = Buffer.alloc(0)
  const unwrap = (bytes: Buffer): void => {
    waiting = Buffer.concat([waiting, bytes])
    while (waiting.length >= HEADER_BYTES && waiting.length >= waiting.readUInt16BE(2)) {
      wrappers.push(waiting[0]!)
      records.push(waiting.subarray(HEADER_BYTES, waiting.readUInt16BE(2)))
      waiting = waiting.subarray(waiting.readUInt16BE(2))
    }
  }
  const read = (bytes: Buffer): void => void (isSecured ? records.push(bytes) : unwrap(bytes))
  socket.on('data', read)
  const tls = connectTls({ socket: records, rejectUnauthorized: false, ...options })
  tls.on('error', () => {})
  await once(tls, 'secureConnect')
  isSecured = true
  return {
    socket,
    tls,
    wrappers,
    leaveTls: () => void socket.off('data', read),
    async unencrypted() {
      const parts: Buffer[] = []
      for await (const part of socket) parts.push(part as Buffer)
      return Buffer.concat(parts)
    },
  }
}
