import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'credit-card',
  name: 'Payment card',
  shelf: 'Accounts and keys',
  keywords: ['credit card', 'debit card', 'payment', 'visa', 'mastercard', 'pan', 'stripe', 'bank'],
  firedBy:
    'Somebody pays with the card, tries its number in a shop, or adds it to a wallet. It approves nothing, and its issuer reports the attempt.',
  silencedBy:
    'A card that is read or sold stays silent until somebody tries it, and where a shop looks at the digits alone.',
  placement: [
    'Write it into a sheet of company cards, or into a note of an assistant on bookings.',
    'Store it in the payment profile of an account that nobody uses, or in the autofill of a browser.',
    'Put it into a table of customers or orders, in a form that your rules for card data allow.',
  ],
  logtype: '17027',
  keys: [
    'merchant',
    'amount',
    'currency',
    'last4',
    'status',
    'reason',
    'method',
    'wallet',
    'cvc_check',
    'expiry_check',
    'three_d_secure',
    'delay_s',
  ],
  evidence: ['merchant', 'amount', 'currency', 'status', 'method', 'cvc_check'],
  meaning:
    'Somebody tried to pay with the card that the memo names: they read the place where it was planted, or bought what was read there. No address is known; the shop may have one.',
  next: [
    'Treat the place of the card as read by an intruder, and look at who read it there.',
    'Block every real card that lies in the same place.',
    'Ask the merchant that the event names for the order: it has an address, a name or a parcel.',
  ],
  provider: { name: 'stripe', chosenBy: 'card_provider', fixed: ['card_provider', 'card_id', 'card_last4'] },
  example: { touch: 'echo "Pay in a web shop with the card of token.json: it is declined."' },
  settings: {
    card_provider: {
      type: 'choice',
      description: 'Who issues the card: Stripe makes one, another issuer reports one that you have',
      choices: ['stripe', 'card-issuer'],
      default: 'stripe',
    },
    card_id: {
      type: 'text',
      description: 'For card-issuer: the id by which the issuer reports the card, never its number',
      maxLength: 128,
      characters: 'A-Za-z0-9_.:-',
    },
    card_last4: {
      type: 'text',
      description: 'For card-issuer: the last four digits of the card',
      maxLength: 4,
      characters: '0-9',
    },
  },
})
