import { atLeast, exactly, type Case, type Row } from '../rig/case.ts'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { openDice } from './lib/dice.ts'
import { withDatabases } from './lib/postgres.ts'
import { MIGRATIONS } from './lib/schema.ts'
import { upgradeWithKills, type Upgrades } from './lib/upgrades.ts'

const upgrades: Case = {
  id: 'G11',
  title:
    'an upgrade is killed 200 times inside a migration, on SQLite and on PostgreSQL: the old or the new, never half',
  async run() {
    const dice = openDice()
    const kills = sized(200, 6)
    const folders = [freshFolder(), freshFolder()] as const
    try {
      const onSqlite = await upgradeWithKills({ kills, dice, folder: folders[0] })
      const onPostgres = await withDatabases((createDatabase) =>
        upgradeWithKills({ kills, dice, folder: folders[1], createDatabase }),
      )
      for (const problem of [...onSqlite.half, ...onPostgres.half]) process.stderr.write(`  ${problem}\n`)
      return {
        ok: onSqlite.isHalfSeen && onPostgres.isHalfSeen,
        rows: [...rowsOf('SQLite', onSqlite), ...rowsOf('PostgreSQL', onPostgres)],
        note: `No version is released yet: a database with the first of the ${MIGRATIONS.length} migrations, as many as chance wants, stands for an older one. Seed ${dice.seed}; upgrades: ${onSqlite.finished} and ${onPostgres.finished}${scaleNote}`,
      }
    } finally {
      folders.forEach(removeFolder)
    }
  },
}
export default upgrades

const rowsOf = (engine: string, { kills, inside, half }: Upgrades): Row[] => [
  exactly(`${engine}: databases half upgraded`, half.length, '', 0),
  atLeast(`${engine}: kills with some of the migrations applied`, inside, '', 1),
  atLeast(`${engine}: kills`, kills, '', 1),
]
