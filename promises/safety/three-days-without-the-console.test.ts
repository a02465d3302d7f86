// The gate G7 at the size of a test.
import { expect, it } from 'vitest'
import { openDice } from './lib/dice.ts'
import { outlastAbsence } from './lib/backlog.ts'
import { toItsEnd } from './lib/to-its-end.ts'

it('what a Bird saw in three days without its console arrives once, in order, and is one alert, though the Bird was killed', async () => {
  const dice = openDice()
  const outlasted = await toItsEnd(outlastAbsence({ events: 240, dice, lives: 2, silenceMs: 1_000 }))
  expect(outlasted, `seed ${dice.seed}`).toMatchObject({
    lost: 0,
    doubled: 0,
    outOfOrder: 0,
    mistimed: 0,
    summaries: 1,
    otherAlerts: 0,
    kills: 3,
  })
  expect(outlasted.answered).toBeGreaterThanOrEqual(240)
})
