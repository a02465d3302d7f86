import { expect, it } from 'vitest'
import { chosenParts } from './parts.ts'

const KNOWN = ['http', 'redis', 'ssh']

it('all parts of a case run unless some are named', () => {
  expect(chosenParts(KNOWN, '')).toEqual(KNOWN)
  expect(chosenParts(KNOWN, 'ssh,http')).toEqual(['http', 'ssh'])
})

it('a part that the case has not is an error that names those it has', () => {
  expect(() => chosenParts(KNOWN, 'redis,snmp')).toThrow(
    'BENCH_PARTS names "snmp"; the parts of this case are http, redis, ssh.',
  )
})
