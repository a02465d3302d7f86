// The gate G2 at the size of a test.
import { spawnSync } from 'node:child_process'
import { beforeAll, expect, it } from 'vitest'
import { prepare } from '../../tools/prepare.mjs'
import { openDice } from './lib/dice.ts'
import { survivePowerCuts } from './lib/power-cuts.ts'
import { toItsEnd } from './lib/to-its-end.ts'

/** What cuts the power is written in C, and compiled by the gate. */
const hasCompiler = spawnSync('cc', ['--version']).status === 0

beforeAll(() => prepare({ bundle: true }))

it.skipIf(!hasCompiler)(
  'a power cut that drops or tears what was not synced loses no hit that was answered (skipped without a C compiler, cc)',
  async () => {
    const dice = openDice()
    let [unsynced, hits] = [0, 0]
    // A cut may come when nothing waits to be synced, or before the first answer, and three of them may.
    for (let tries = 0; tries < 8 && (unsynced === 0 || hits === 0); tries++) {
      const survived = await toItsEnd(survivePowerCuts({ cuts: 3, dice, synchronous: 'FULL' }))
      expect(survived, `seed ${dice.seed}`).toMatchObject({
        cuts: 3,
        lostHits: 0,
        doubledHits: 0,
        doubledTouches: 0,
        damaged: [],
        unlike: [],
      })
      hits += survived.hits
      unsynced += survived.unsynced
    }
    expect(hits, `seed ${dice.seed}`).toBeGreaterThan(0)
    expect(unsynced, `seed ${dice.seed}`).toBeGreaterThan(0)
  },
)
