// The gate G11 at the size of a test, on SQLite: a console is started for each kill.
import { beforeAll, expect, it } from 'vitest'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { prepare } from '../../tools/prepare.mjs'
import { openDice } from './lib/dice.ts'
import { upgradeWithKills } from './lib/upgrades.ts'
import { toItsEnd } from './lib/to-its-end.ts'

beforeAll(() => prepare({ bundle: true }))

it('an upgrade that is killed leaves the old database or the new one, and the next start ends it', async () => {
  const folder = freshFolder()
  const dice = openDice()
  try {
    const upgraded = await toItsEnd(upgradeWithKills({ kills: 3, dice, folder }))
    expect(upgraded, `seed ${dice.seed}`).toMatchObject({ kills: 3, half: [], isHalfSeen: true })
    expect(upgraded.finished).toBeGreaterThan(0)
  } finally {
    removeFolder(folder)
  }
})
