// The gate G5 at the size of a test.
import { beforeAll, expect, it } from 'vitest'
import { isShort } from '@rookery/kernel/test/size.ts'
import { prepare } from '../../tools/prepare.mjs'
import { abuse } from './lib/abuse.ts'
import { openDice } from './lib/dice.ts'
import { readMutatedDatabases } from './lib/mutated-databases.ts'
import { LOGIN_PROTOCOLS, readMutated } from './lib/mutated-logins.ts'
import { toItsEnd } from './lib/to-its-end.ts'

beforeAll(() => prepare({ bundle: true }))

it('malformed requests, and garbage at the link, every decoy and every token channel, are refused: nothing answers 5xx, nothing crashes', async ({
  skip,
}) => {
  skip(isShort)
  const dice = openDice()
  const abused = await toItsEnd(abuse({ requests: 1_000, dice, weighs: false }))
  const seed = `seed ${dice.seed}`
  expect([abused.failures, abused.crashes, abused.logged], seed).toEqual([[], 0, ''])
  expect(
    [...abused.statuses.keys()].filter((status) => status >= 500),
    seed,
  ).toEqual([])
  expect(abused.tlsPorts, seed).toBeGreaterThan(0)
  expect(abused.tokenListeners).toEqual(
    expect.arrayContaining(['dns by UDP', 'dns by TCP', 'http', 'https', 'https within TLS']),
  )
  // They come as far as the operations do.
  for (const status of [200, 400, 401, 404, 405])
    expect(abused.statuses.get(status) ?? 0, `${seed}: ${status}`).toBeGreaterThan(5)
})

it.each(LOGIN_PROTOCOLS)('mutated logins of %s break nothing, and come as far as a login', (name) => {
  const dice = openDice()
  const { failures, steps } = readMutated(name, 6_000, dice)
  expect(failures, `seed ${dice.seed}`).toEqual([])
  expect(steps.get('login'), `seed ${dice.seed}`).toBeGreaterThan(300)
})

it('mutated databases of addresses break nothing, and some still have records', () => {
  const dice = openDice()
  const { failures, found, refused } = readMutatedDatabases(1_000, dice)
  expect(failures, `seed ${dice.seed}`).toEqual([])
  expect(found, `seed ${dice.seed}`).toBeGreaterThan(100)
  expect(refused, `seed ${dice.seed}`).toBeGreaterThan(100)
})
