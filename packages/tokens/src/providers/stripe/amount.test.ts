import { expect, it } from 'vitest'
import { amountText } from './amount.ts'

it('an amount has the decimals of its currency', () => {
  expect(amountText(1_250, 'EUR')).toBe('12.50')
  expect(amountText(0, 'USD')).toBe('0.00')
  expect(amountText(700, 'JPY')).toBe('700')
  expect(amountText(5_001, 'KWD')).toBe('5.001')
})
