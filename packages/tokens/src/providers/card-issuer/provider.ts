// Any card issuer: the operator has a card, and the issuer, or a program of the operator's, reports its uses, signed.
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { textOf } from '../../provider-call.ts'
import { hmacHex, isSameSecret } from '../../provider-signature.ts'
import { provider, type FeedRequest } from '../../provider.ts'
import { descriptor } from './descriptor.ts'
import { readReport } from './report.ts'

export default provider(descriptor, ({ options }) => ({
  // Nothing is made: the card exists.
  provision({ settings }) {
    const [cardId, last4] = [textOf(settings, 'card_id'), textOf(settings, 'card_last4')]
    if (cardId === '')
      throw invalidParameter('card_id', 'is required: the id by which the issuer reports the card')
    if (/^\d{12,19}$/.test(cardId))
      throw invalidParameter('card_id', 'must be an id, and never the number of a card')
    if (!/^\d{4}$/.test(last4))
      throw invalidParameter('card_last4', 'must be the last four digits of the card')
    return Promise.resolve({ remoteId: cardId, issued: { last4 } })
  },

  // The card is the operator's: only its issuer can end it.
  revoke: () => Promise.resolve(),

  ingest(request) {
    requireSignature(options.ROOKERY_CARD_ISSUER_SECRET, request)
    return { events: readReport(request.body, request.receivedAt) }
  },
}))

/** `X-Signature: [sha256=]<hex>`: HMAC-SHA-256 over the body. */
function requireSignature(secret: string, { headers, body }: FeedRequest): void {
  const given = (headers['x-signature'] ?? '').toLowerCase().replace(/^sha256=/, '')
  if (isSameSecret(given, hmacHex(secret, body))) return
  throw new Fault(
    'unauthenticated',
    'The header X-Signature must be the HMAC-SHA-256 of the body under ROOKERY_CARD_ISSUER_SECRET, in hex.',
  )
}
