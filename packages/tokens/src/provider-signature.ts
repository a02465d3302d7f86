// Signatures of requests to a provider's feed, compared in constant time.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether two texts are the same, in a time that does not depend on where they differ. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHmac('sha256', 'compared').update(text).digest()
  return expected !== '' && timingSafeEqual(digest(given), digest(expected))
}

/** HMAC-SHA-256 over the parts, hex. */
export function hmacHex(secret: string, ...parts: readonly (string | Buffer)[]): string {
  const hmac = createHmac('sha256', secret)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}
