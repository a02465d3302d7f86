// Queries by UDP.
import { createSocket, type Socket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { plainAddress } from '../../net/ranges.ts'
import type { Answerer } from './answerer.ts'

const RECEIVE_BUFFER_BYTES = 4 * 1_024 * 1_024

/** Binds it; rejects when the address is taken or not this machine's. */
export async function bindUdp(host: string, port: number, answer: Answerer): Promise<Socket> {
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4' })
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
  const dstHost = plainAddress(udpAddress(socket).address)
  socket.on('message', (message, { address, port: srcPort }) => {
    // Nobody can be answered at port 0: the source is forged.
    if (srcPort === 0) return
    answer(message, { transport: 'udp', srcHost: plainAddress(address), dstHost }, (reply) => {
      if (isOpen) socket.send(reply, srcPort, address)
    })
  })
  return socket
}

export const udpAddress = (socket: Socket): AddressInfo => socket.address()
