// Stripe Issuing: a virtual card that approves nothing is planted, and each attempt to use it is reported.
import { provider } from '../../provider.ts'
import { stripeCaller } from './api.ts'
import { cancelCards, issueCard } from './cards.ts'
import { descriptor } from './descriptor.ts'
import { pollUses } from './uses.ts'
import { takeWebhook } from './webhook.ts'

export default provider(descriptor, ({ world, options }) => {
  const call = stripeCaller(world, options.ROOKERY_STRIPE_URL, options.ROOKERY_STRIPE_SECRET_KEY)
  const account = {
    call,
    cardholder: options.ROOKERY_STRIPE_CARDHOLDER,
    currency: options.ROOKERY_STRIPE_CURRENCY,
  }
  return {
    provision: ({ tokenId }) => issueCard(account, tokenId),
    revoke: (resource) => cancelCards(account, resource),
    ingest: (request) => takeWebhook(options.ROOKERY_STRIPE_WEBHOOK_SECRET, request),
    poll: ({ position }) => pollUses(call, position, world.clock.now()),
  }
})
