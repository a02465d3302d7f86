// The gate G10 at the size of a test, on SQLite: for PostgreSQL its own tools are needed.
import { beforeAll, expect, it } from 'vitest'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { prepare } from '../../tools/prepare.mjs'
import { backUpUnderLoad } from './lib/backups.ts'
import { toItsEnd } from './lib/to-its-end.ts'

beforeAll(() => prepare({ bundle: true }))

it('a backup that is made under load is whole, has all that was acknowledged before, and at rest each row', async () => {
  const folder = freshFolder()
  try {
    const made = await toItsEnd(backUpUnderLoad({ backups: 1, folder }))
    expect(made).toMatchObject({ lost: 0, doubled: 0, otherIncidents: 0, half: [], otherRows: [] })
    expect(made.hits).toBeGreaterThan(0)
    expect(made.rowsCompared).toBeGreaterThan(0)
  } finally {
    removeFolder(folder)
  }
})
