// A receiver of alerts on loopback that keeps what it receives and answers as configured.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { RunningConsole } from './console.ts'

export interface Alert {
  /** Milliseconds since the epoch, with fraction. */
  readonly at: number
  readonly id: string
  readonly source: string
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

export const accept: Behaviour = (response) => void response.writeHead(204).end()
export const hang: Behaviour = () => undefined
export const answer500: Behaviour = (response) => void response.writeHead(500).end()
export const slowly =
  (ms: number): Behaviour =>
  (response) =>
    void setTimeout(() => response.writeHead(204).end(), ms)

export interface AlertReceiver {
  readonly url: string
  /** In the order of their arrival, repeated tries too. */
  readonly alerts: readonly Alert[]
  /** Resolves once so many have come; rejects when that takes too long. */
  until(count: number, patienceMs: number): Promise<void>
  stop(): void
}

export async function openReceiver(behave: Behaviour = accept): Promise<AlertReceiver> {
  const alerts: Alert[] = []
  const sockets = new Set<Socket>()
  let waiting: { count: number; resolve: () => void }[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const at = performance.timeOrigin + performance.now()
      const message = JSON.parse(Buffer.concat(pieces).toString()) as { SourceIP?: string }
      alerts.push({ at, id: String(request.headers['webhook-id']), source: message.SourceIP ?? '' })
      behave(response, request)
      waiting = waiting.filter(({ count, resolve }) => alerts.length < count || void resolve())
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`,
    alerts,
    until: (count, patienceMs) =>
      new Promise((resolve, reject) => {
        if (alerts.length >= count) return resolve()
        const timer = setTimeout(
          () => reject(new Error(`Only ${alerts.length} of ${count} alerts came in ${patienceMs / 1000} s.`)),
          patienceMs,
        )
        waiting.push({ count, resolve: () => (clearTimeout(timer), resolve()) })
      }),
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Registers the receiver for alerts of the default Flock. */
export async function addReceiver(console: RunningConsole, url: string): Promise<void> {
  const { status, text } = await console.post('/flock/settings/webhooks/generic/add', {
    flock_id: 'flock:default',
    url,
  })
  if (status !== 200) throw new Error(`The receiver was refused: ${status} ${text}`)
  await console.post('/flock/settings/webhooks/enable', { flock_id: 'flock:default' })
}

export async function removeReceiver(console: RunningConsole, url: string): Promise<void> {
  const { status, text } = await console.post('/flock/settings/webhooks/generic/remove', {
    flock_id: 'flock:default',
    url,
  })
  if (status !== 200) throw new Error(`The receiver was not removed: ${status} ${text}`)
}
