import { expect, test } from 'vitest'
import { isPortScan } from './event-spool.ts'

test.each([
  ['5000', false],
  ['5001', true],
  ['5010', false],
  ['5012', true],
  ['5013', false],
])('an event of logtype %s is a port scan: %s', (logtype, is) => {
  const event = { seq: 1, at: 2, logtype, instance: 'portscan', fields: { X: '"logtype":"4002"' } }
  expect(isPortScan(JSON.stringify(event))).toBe(is)
})

test('fields that an intruder writes make no event a port scan', () => {
  expect(isPortScan(JSON.stringify({ seq: 1, logtype: '4002', fields: { logtype: '5001' } }))).toBe(false)
})
