// Signatures after Standard Webhooks 1.0: a receiver verifies that a message is ours and not an old one.
import { createHmac } from 'node:crypto'
import type { Random } from '@rookery/kernel/world.ts'

const PREFIX = 'whsec_'

/** A new signing secret: `whsec_` and 24 random bytes in base64. */
export const newSecret = (random: Random): string => PREFIX + Buffer.from(random.bytes(24)).toString('base64')

/** The value of `webhook-signature`: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
export function sign(secret: string, messageId: string, timestampS: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${messageId}.${timestampS}.${body}`).digest('base64')}`
}
