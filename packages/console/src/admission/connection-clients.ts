// Whose connection it is: a load balancer may have named the client in front of its bytes.
import type { Socket } from 'node:net'
import { plainAddress } from '../addresses/ranges.ts'

export interface ConnectionClients {
  /** The address of the connection's client. */
  clientOf(socket: Socket): string
  /** Bytes that came in front of the client's own. */
  bytesBefore(socket: Socket): number
}

/** The other end of the connection is its client. */
export const DIRECT: ConnectionClients = {
  clientOf: (socket) => plainAddress(socket.remoteAddress ?? ''),
  bytesBefore: () => 0,
}
