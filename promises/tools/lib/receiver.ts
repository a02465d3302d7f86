// A receiver of alerts that checks every signature, as a careful user's would.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Delivery {
  readonly webhookId: string
  /** `IncidentKey` of the alert. */
  readonly incident: string
  readonly isSigned: boolean
  /** What was answered. */
  readonly status: number
}

export interface CheckingReceiver {
  readonly url: string
  readonly deliveries: readonly Delivery[]
  /** From now on it takes every alert and answers with this status. */
  answerWith(status: number): void
  /** Given by `generic/add`. */
  trust(secret: string): void
  stop(): void
}

export async function openCheckingReceiver(): Promise<CheckingReceiver> {
  const deliveries: Delivery[] = []
  let status = 204
  let webhook: Webhook | undefined
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString()
      const { IncidentKey } = JSON.parse(body) as { IncidentKey?: string }
      const isSigned = isGood(() => webhook?.verify(body, request.headers as Record<string, string>))
      const webhookId = String(request.headers['webhook-id'])
      deliveries.push({ webhookId, incident: IncidentKey ?? '', isSigned, status })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`,
    deliveries,
    answerWith: (next) => void (status = next),
    trust: (secret) => void (webhook = new Webhook(secret)),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function isGood(verify: () => unknown): boolean {
  try {
    return verify() !== undefined
  } catch {
    return false
  }
}
