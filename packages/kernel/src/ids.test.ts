import fc from 'fast-check'
import { expect, it } from 'vitest'
import { INCIDENT_KEY_LENGTH, incidentKey } from './ids.ts'

it('an incident’s key has at most the length that the API takes, whatever its source', () => {
  const slug = fc.stringMatching(/^[a-z]{1,64}$/)
  const source = fc.oneof(fc.string({ maxLength: 300 }), fc.ipV6(), fc.constant('x'.repeat(255)))
  fc.assert(
    fc.property(slug, source, fc.integer({ min: 0, max: 8.64e15 }), (name, from, at) => {
      const key = incidentKey(name, '0'.repeat(24), from, at)
      expect(key.length).toBeLessThanOrEqual(INCIDENT_KEY_LENGTH)
      expect(key).toMatch(/^incident:[a-z]+:0{24}:[\w.:-]*:\d+$/)
    }),
  )
})

it('an address stands in the key as it is', () => {
  expect(incidentKey('sshlogin', 'ab'.repeat(12), '2001:db8::7', 1_795_167_542_000)).toBe(
    `incident:sshlogin:${'ab'.repeat(12)}:2001:db8::7:1795167542`,
  )
})
