// A UDP socket that is bound, and what comes in by it.
import { createSocket, type Socket, type SocketOptions } from 'node:dgram'
import { isIP } from 'node:net'
import { plainAddress } from '../addresses/ranges.ts'

export interface Datagram {
  readonly bytes: Buffer
  /** In its plain spelling, as events show it. */
  readonly srcHost: string
  /** Where it arrived. */
  readonly dstHost: string
  /** Sends bytes back to where it came from, unless the socket is closed. */
  readonly reply: (answer: Buffer) => void
}

const RECEIVE_BUFFER_BYTES = 4 * 1_024 * 1_024

/** Binds `host` and `port` (0: any free one); rejects when the address is taken or not this machine's. */
export async function bindUdp(
  host: string,
  port: number,
  receive: (datagram: Datagram) => void,
): Promise<Socket> {
  const type = host.includes(':') ? 'udp6' : 'udp4'
  const socket = createSocket({ type, ...(isIP(host) > 0 && { lookup: asAddress }) })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', (error) => {
      socket.close()
      reject(error)
    })
    socket.bind(port, host, resolve)
  })
  socket.removeAllListeners('error')
  // What cannot be sent is lost, as any datagram may be.
  socket.on('error', () => undefined)
  // A burst must wait in the system while a batch is committed.
  socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES)
  let isOpen = true
  socket.once('close', () => (isOpen = false))
  const dstHost = plainAddress(socket.address().address)
  socket.on('message', (bytes, { address, port: srcPort }) => {
    // Nobody can be answered at port 0: the source is forged.
    if (srcPort === 0) return
    receive({
      bytes,
      srcHost: plainAddress(address),
      dstHost,
      reply: (answer) => {
        if (isOpen) socket.send(answer, srcPort, address)
      },
    })
  })
  return socket
}

/** An address is its own result, at once: by default each answer waits for a turn of the event loop. */
const asAddress: NonNullable<SocketOptions['lookup']> = (address, _, found) =>
  found(null, address, isIP(address))

export const closeUdp = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.close(() => resolve()))
