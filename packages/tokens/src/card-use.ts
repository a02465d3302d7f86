// A use of a card as its issuer reports it: the event keys of the kind `credit-card`.
import type { EventFields } from '@rookery/kernel/touch.ts'

export interface CardUse {
  readonly merchant: {
    readonly name?: string
    readonly city?: string
    /** Two letters, where the issuer writes it so. */
    readonly country?: string
    readonly category?: string
  }
  /** In units of the currency, such as `12.50`. */
  readonly amount: string
  /** Three capitals. */
  readonly currency: string
  readonly last4: string
  /** What became of it: `declined`, `approved`, or the issuer's own word. */
  readonly status: string
  /** Why, in the issuer's word. */
  readonly reason?: string
  /** How the card was given: `online`, `chip`, `swipe` … */
  readonly method?: string
  /** The digital wallet that it was used by. */
  readonly wallet?: string
  /** Whether the given security code was the card's. */
  readonly cvc_check?: string
  readonly expiry_check?: string
  /** The outcome of 3-D Secure. */
  readonly three_d_secure?: string
}

/** What the issuer left empty is left out. */
export function cardFields({ merchant, ...rest }: CardUse): EventFields {
  const known = withoutEmpty(merchant)
  return { ...(Object.keys(known).length > 0 && { merchant: known }), ...withoutEmpty(rest) }
}

const withoutEmpty = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
