// A receiver of alerts: a real HTTP server on loopback that keeps what it was sent and answers as the test says.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Alert {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body as JSON; tests know what they wait for. */
  readonly json: Readonly<Record<string, unknown>>
  readonly path: string
  readonly at: number
}

export type Behaviour = (alert: Alert, response: ServerResponse, request: IncomingMessage) => void

export interface AlertReceiver {
  readonly url: string
  /** Every try, also those that were refused. */
  readonly alerts: readonly Alert[]
  /** How it answers from now on. */
  behave(behaviour: Behaviour): void
  /** Resolves once so many tries have come. */
  tries(count: number): Promise<readonly Alert[]>
}

export const accept: Behaviour = (_alert, response) => void response.writeHead(204).end()
export const refuse =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_alert, response) =>
    void response.writeHead(status, headers).end()
export const hang: Behaviour = () => undefined
export const reset: Behaviour = (_alert, _response, request) => void request.socket.resetAndDestroy()

export async function openReceiver(behaviour: Behaviour = accept): Promise<AlertReceiver> {
  let behave = behaviour
  const alerts: Alert[] = []
  const sockets = new Set<Socket>()
  let watchers: { count: number; resolve: (alerts: readonly Alert[]) => void }[] = []

  const server = createServer({ keepAlive: true }, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8')
      const headers = request.headers as Record<string, string>
      const alert: Alert = {
        id: headers['webhook-id'] ?? '',
        headers,
        text,
        json: JSON.parse(text) as Alert['json'],
        path: request.url ?? '',
        at: Date.now(),
      }
      alerts.push(alert)
      behave(alert, response, request)
      watchers = watchers.filter(({ count, resolve }) => alerts.length < count || void resolve(alerts))
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`,
    alerts,
    behave: (next) => void (behave = next),
    tries: (count) =>
      new Promise((resolve) => {
        if (alerts.length >= count) resolve(alerts)
        else watchers.push({ count, resolve })
      }),
  }
}
