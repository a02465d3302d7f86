// Reads a socket part by part: a test awaits what it expects.
import type { Socket } from 'node:net'

/** What was found at the front of the received bytes, and how many of them it took. */
export interface Taken<T> {
  readonly value: T
  readonly length: number
}

export function socketReader(socket: Socket) {
  let received: Buffer = Buffer.alloc(0)
  let isClosed = false
  let close: 'open' | 'FIN' | 'RST' = 'open'
  let wake = (): void => {}
  socket.on('end', () => (close = close === 'open' ? 'FIN' : close))
  socket.on('error', () => (close = close === 'open' ? 'RST' : close))
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    wake()
  })
  socket.on('close', () => {
    isClosed = true
    wake()
  })
  const change = (): Promise<void> => new Promise((resolve) => (wake = resolve))

  return {
    get isClosed() {
      return isClosed
    },
    /** What the server ended the connection with. */
    get close() {
      return close
    },
    /** Waits until `take` finds something; undefined when the connection closes before. */
    async read<T>(take: (bytes: Buffer) => Taken<T> | undefined): Promise<T | undefined> {
      for (;;) {
        const taken = received.length > 0 ? take(received) : undefined
        if (taken) {
          received = received.subarray(taken.length)
          return taken.value
        }
        if (isClosed) return undefined
        await change()
      }
    },
    /** Everything that is left, once the connection is closed. */
    async remainder(): Promise<Buffer> {
      while (!isClosed) await change()
      const rest = received
      received = received.subarray(received.length)
      return rest
    },
  }
}
