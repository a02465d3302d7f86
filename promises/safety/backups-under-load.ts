import { atLeast, exactly, type Case, type Row } from '../rig/case.ts'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { backUpUnderLoad, type Backups } from './lib/backups.ts'
import { startInstalledPostgres, type InstalledPostgres } from './lib/installed-postgres.ts'

const backups: Case = {
  id: 'G10',
  title: '20 online backups under load, each restored elsewhere, on SQLite and on PostgreSQL',
  async run() {
    const count = sized(20, 2)
    const folder = freshFolder()
    let server: InstalledPostgres | undefined
    try {
      const onSqlite = await backUpUnderLoad({ backups: count, folder })
      const other = freshFolder()
      try {
        server = await startInstalledPostgres(other)
        const onPostgres = await backUpUnderLoad({ backups: count, folder: other, postgres: server })
        const problems = [onSqlite, onPostgres].flatMap(({ half, otherRows }) => [...half, ...otherRows])
        for (const problem of problems) process.stderr.write(`  ${problem}\n`)
        return {
          ok: onSqlite.backups === count && onPostgres.backups === count,
          rows: [...rowsOf('SQLite', onSqlite), ...rowsOf('PostgreSQL', onPostgres)],
          note: `hits answered meanwhile: ${onSqlite.meanwhile} and ${onPostgres.meanwhile}, people acknowledging and planting next to them${scaleNote}`,
        }
      } finally {
        await server?.stop()
        removeFolder(other)
      }
    } finally {
      removeFolder(folder)
    }
  },
}
export default backups

const rowsOf = (engine: string, made: Backups): Row[] => [
  exactly(`${engine}: hits lost that were acknowledged before a backup`, made.lost, '', 0),
  exactly(`${engine}: hits counted twice`, made.doubled, '', 0),
  exactly(`${engine}: incidents other than at the snapshot`, made.otherIncidents, '', 0),
  exactly(`${engine}: copies with something half`, made.half.length, '', 0),
  exactly(`${engine}: rows other than the original's, at rest`, made.otherRows.length, '', 0),
  atLeast(`${engine}: rows compared`, made.rowsCompared, '', 1_000),
  atLeast(`${engine}: hits acknowledged before`, made.hits, '', 100),
]
