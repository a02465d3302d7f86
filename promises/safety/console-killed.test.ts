// The gate G1 at the size of a test.
import { beforeAll, expect, it } from 'vitest'
import { isShort, sized } from '@rookery/kernel/test/size.ts'
import { prepare } from '../../tools/prepare.mjs'
import { openDice } from './lib/dice.ts'
import { surviveKills } from './lib/kills.ts'
import { startUnreaped } from './lib/unreaped.ts'
import { toItsEnd } from './lib/to-its-end.ts'

beforeAll(() => prepare({ bundle: true }))

it(
  'a console that is killed while it takes hits and events loses nothing it has acknowledged, and counts nothing twice',
  { timeout: 900_000 },
  async () => {
    const dice = openDice()
    const survived = await toItsEnd(surviveKills({ kills: sized(4, 2), dice, tokens: sized(60, 10) }))
    expect(survived, `seed ${dice.seed}`).toMatchObject({
      lostHits: 0,
      doubledHits: 0,
      lostEvents: 0,
      doubledEvents: 0,
      miscounted: 0,
      integrity: 'ok',
    })
    expect(survived.hits, `seed ${dice.seed}`).toBeGreaterThan(0)
    expect(survived.events, `seed ${dice.seed}`).toBeGreaterThan(0)
  },
)

it('a console starts at once behind those that were killed and that nobody reaps', async ({ skip }) => {
  skip(isShort)
  expect(await toItsEnd(startUnreaped(3))).toEqual({ refused: 0, zombies: 3 })
})
