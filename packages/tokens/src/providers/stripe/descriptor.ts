import { describeProvider } from '../../provider-descriptor.ts'

export const descriptor = describeProvider({
  provider: 'stripe',
  name: 'Stripe Issuing',
  options: {
    ROOKERY_STRIPE_SECRET_KEY: {
      type: 'text',
      title: 'Secret or restricted key of a Stripe account that issues decoy cards',
      wants: 'a key such as sk_live_… or rk_live_…',
      pattern: '[\\x21-\\x7e]+',
      secret: true,
    },
    ROOKERY_STRIPE_CARDHOLDER: {
      type: 'text',
      title: 'Id of the Stripe cardholder whose name decoy cards have',
      wants: 'an id such as ich_1MsKAB2eZvKYlo2C3eZ2BdvK',
      pattern: 'ich_[A-Za-z0-9]{1,64}',
    },
    ROOKERY_STRIPE_WEBHOOK_SECRET: {
      type: 'text',
      title: 'Signing secret of the Stripe webhook; without it uses are found once a minute',
      wants: 'a secret such as whsec_…',
      pattern: '[\\x21-\\x7e]+',
      secret: true,
      optional: true,
    },
    ROOKERY_STRIPE_CURRENCY: {
      type: 'text',
      title: 'Currency of decoy cards that Stripe issues',
      wants: 'a currency such as usd, eur or gbp',
      pattern: '[a-z]{3}',
      default: 'usd',
    },
    ROOKERY_STRIPE_URL: {
      type: 'url',
      title: 'Base address of the Stripe API',
      wants: 'an http(s) URL',
      default: 'https://api.stripe.com',
    },
  },
  takesFeed: true,
  pollMs: 60_000,
  heartbeat: 'poll',
})
