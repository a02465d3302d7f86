// What one connection has for another: messages, lines of MONITOR, answers to commands that waited.
import type { Client, Server } from '../model/call.ts'

/** For all connections of a listener together, until the host takes it. */
const MAX_BYTES = 2 * 1024 * 1024

/** Sends it after the present command. Who would get too much is closed, as at `client-output-buffer-limit`. */
export function sendTo(server: Server, client: Client, text: string): void {
  if (client.isKilled) return
  if (server.outboxBytes + text.length > MAX_BYTES) client.isKilled = true
  else {
    client.outbox.push(text)
    client.outboxBytes += text.length
    server.outboxBytes += text.length
  }
  client.context.wakeSoon?.()
}

export function takeOutbox(server: Server, client: Client): string {
  if (client.outbox.length === 0) return ''
  const text = client.outbox.join('')
  server.outboxBytes -= client.outboxBytes
  client.outboxBytes = 0
  client.outbox = []
  return text
}

/** CLIENT KILL and ACL DELUSER: it closes soon. */
export function killClient(client: Client): void {
  client.isKilled = true
  client.context.wakeSoon?.()
}
