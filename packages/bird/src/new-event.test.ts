import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventJson, type NewEvent } from './new-event.ts'

const event = fc.record<NewEvent>({
  at: fc.nat(2),
  mono: fc.nat(2),
  boot: fc.constantFrom('b1', 'b2'),
  logtype: fc.constantFrom('21001', '4002'),
  instance: fc.constantFrom('redis', 'ssh'),
  srcHost: fc.constantFrom('192.0.2.1', '2001:db8::1'),
  srcPort: fc.nat(2),
  dstHost: fc.constantFrom('192.0.2.7', '192.0.2.8'),
  dstPort: fc.constantFrom(22, 6379),
  fields: fc.dictionary(fc.string(), fc.string()),
})

test('each event becomes the text that JSON.stringify gives, whatever came before', () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const toJson = eventJson()
      for (const [seq, one] of events.entries())
        expect(toJson(seq, one)).toBe(JSON.stringify({ seq, ...one }))
    }),
  )
})
