import { describeProvider } from '../../provider-descriptor.ts'

export const descriptor = describeProvider({
  provider: 'card-issuer',
  name: 'Card issuer',
  options: {
    ROOKERY_CARD_ISSUER_SECRET: {
      type: 'text',
      title: 'Secret by which reports of a card issuer are signed (header X-Signature)',
      wants: 'text of at least 16 characters without blanks',
      pattern: '[\\x21-\\x7e]{16,}',
      secret: true,
    },
  },
  takesFeed: true,
  heartbeat: 'feed',
})
