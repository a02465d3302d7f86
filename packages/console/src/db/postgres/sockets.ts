// The connections to one server, which can be given up together: a server that hangs answers nothing, and closes nothing.
import { Socket } from 'node:net'

export interface Sockets {
  /** One that is not connected yet. */
  make(): Socket
  /** Closes all of them, and each that is made later. */
  abandon(): void
  isAbandoned(): boolean
}

export function openSockets(): Sockets {
  const sockets = new Set<Socket>()
  let isAbandoned = false
  return {
    make() {
      const socket = new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      // Its owner connects it first, and then sees that it is closed.
      if (isAbandoned) setImmediate(() => socket.destroy())
      return socket
    },
    abandon() {
      isAbandoned = true
      for (const socket of sockets) socket.destroy()
    },
    isAbandoned: () => isAbandoned,
  }
}
