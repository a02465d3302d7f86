import { pino } from 'pino'
import { expect, it } from 'vitest'
import { addBird } from '../../../test/birds.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { openBirdSources } from './bird-sources.ts'
import { openHandshakeRate } from './handshake-rate.ts'

it.each(engines)('a source has room for the Birds that last came from it (%s)', async (engine) => {
  const rookery = await openTestConsole({ engine, parts: ['api'] })
  const NAT = '203.0.113.7'
  for (let n = 0; n < 40; n++) await addBird(rookery, { public_ip: NAT })
  await addBird(rookery, { public_ip: '2001:db8::5' })
  await addBird(rookery, { public_ip: '203.0.113.8', state: 'pending' })
  let now = 1_000_000
  const { reader } = rookery.console.base
  const log = pino({ level: 'silent' })
  const clock = { now: () => now }
  const birds = await openBirdSources({ reader, clock, log })
  const { admits } = openHandshakeRate({ birds, clock, perSecond: 10, perBird: 3 })
  const admitted = (address: string, of = 1_000): number =>
    Array.from({ length: of }, () => admits(address)).filter(Boolean).length
  // Strangers, and one whose Bird waits for a person.
  expect([admitted('198.51.100.1'), admitted('203.0.113.8')]).toEqual([10, 10])
  expect(admitted(NAT)).toBe(10 + 40 * 3)
  expect(admitted('2001:db8::99')).toBe(10 + 3)
  now += 1_000
  expect([admitted('198.51.100.1'), admitted(NAT)]).toEqual([10, 10])
  now += 15_000
  expect(admitted(NAT)).toBe(10 + 40 * 3)

  // A Bird that came since is seen once its source was refused.
  await addBird(rookery, { public_ip: '198.51.100.1' })
  now += 10_000
  expect(admitted('198.51.100.1')).toBe(10)
  await expect.poll(() => ((now += 20_000), admitted('198.51.100.1'))).toBe(13)
})
