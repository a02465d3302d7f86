// A slow line to a server: what a client sends arrives in small segments. Over loopback, tools that read answers in
// pieces depend on which process is woken first.
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const SEGMENT_BYTES = 3
const BETWEEN_MS = 2

export interface SlowLine {
  close(): void
}

interface Place {
  readonly host: string
  readonly port: number
}

/** Listens at `from`; each connection goes on to `to`. */
export async function openSlowLine(from: Place, to: Place): Promise<SlowLine> {
  const server = createServer((client) => {
    const target = connect({ ...to, noDelay: true })
    for (const socket of [client, target]) socket.on('error', () => undefined)
    target.on('data', (bytes) => client.write(bytes))
    target.on('close', () => client.destroy())
    client.on('close', () => target.destroy())
    void forward(client, target)
  })
  await new Promise<void>((resolve) => server.listen(from.port, from.host, resolve))
  return { close: () => void server.close() }
}

async function forward(client: Socket, target: Socket): Promise<void> {
  try {
    for await (const bytes of client as AsyncIterable<Buffer>)
      for (let at = 0; at < bytes.length; at += SEGMENT_BYTES) {
        target.write(bytes.subarray(at, at + SEGMENT_BYTES))
        await wait(BETWEEN_MS)
      }
  } catch {
    // The client is gone; the handlers of `close` end the rest.
  }
}
