// The gate G6 at the size of a test.
import { beforeAll, expect, it } from 'vitest'
import { prepare } from '../../tools/prepare.mjs'
import { openDice } from './lib/dice.ts'
import { toItsEnd } from './lib/to-its-end.ts'
import { surviveFaults } from './lib/two-consoles/survive.ts'

const WAITS = { hostLostMs: 2_000, lookMs: 500, silentMs: 1_000, silentLongMs: 2_000 }

beforeAll(() => prepare({ bundle: true }))

it('two consoles on PostgreSQL lose nothing that was answered, and count nothing twice, whatever fails', async () => {
  const dice = openDice()
  const survived = await toItsEnd(surviveFaults({ each: 1, dice, waits: WAITS, settings: ['fsync=off'] }))
  expect(survived, `seed ${dice.seed}: ${survived.names.join(', ')}`).toMatchObject({
    lost: 0,
    doubled: 0,
    miscounted: 0,
    splitIncidents: 0,
    alertsMissing: 0,
    alertsDoubled: 0,
    changesLost: 0,
    changesDoubled: 0,
    changesRefused: 0,
  })
  expect(survived.answered).toBeGreaterThan(100)
  expect(survived.incidents).toBeGreaterThan(5)
})
