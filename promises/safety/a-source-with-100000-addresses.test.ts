// The gate G7b at the size of a test.
import { expect, it } from 'vitest'
import { openDice } from './lib/dice.ts'
import { meetManyAddresses } from './lib/many-addresses.ts'
import { toItsEnd } from './lib/to-its-end.ts'

it('a source with a whole IPv6 /64 is one incident, and no lie of a reverse zone hides an alert', async () => {
  const dice = openDice()
  expect(await toItsEnd(meetManyAddresses({ addresses: 500, dice })), `seed ${dice.seed}`).toMatchObject({
    ofNetwork: 1,
    ofNeighbour: 1,
    uncounted: 0,
    unraised: 0,
    unalerted: 0,
    honestRaised: 0,
  })
})
