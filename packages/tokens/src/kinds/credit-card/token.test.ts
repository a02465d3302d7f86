import { describe, expect, it } from 'vitest'
import { readSettings } from '../../settings.ts'
import { providerNeeded } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import kind from './token.ts'

const address = { tokenId: 'abc', url: 'https://t.example/abc', hostname: 'abc.t.example' }

describe('the credit-card kind', () => {
  it('needs the provider that is chosen, Stripe where none is', () => {
    expect(providerNeeded(kind, readSettings(descriptor, {}))).toBe('stripe')
    const settings = readSettings(descriptor, { card_provider: 'card-issuer', card_id: 'a-1' })
    expect(providerNeeded(kind, settings)).toBe('card-issuer')
    expect(() => readSettings(descriptor, { card_provider: 'visa' })).toThrow('card_provider')
    expect(() => readSettings(descriptor, { card_last4: '12345' })).toThrow('card_last4')
  })

  it('plants nothing but what its issuer has issued', () => {
    expect(kind.renders(address, readSettings(descriptor, {}))).toEqual({})
    expect(kind.renders(address, {}, { last4: '4242' })).toEqual({ last4: '4242' })
  })
})
