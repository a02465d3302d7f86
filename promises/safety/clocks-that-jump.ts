import { atLeast, exactly, type Case, type Row } from '../rig/case.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { jumpClocks, type Jumped } from './lib/jumps.ts'
import { withPostgres } from './lib/postgres.ts'

const jumps: Case = {
  id: 'G8',
  title:
    'clocks that jump (+1 h, −1 h, +400 d, summer time) and Birds a day wrong, on SQLite and on PostgreSQL',
  async run() {
    const events = sized(20_000, 100)
    const onSqlite = await jumpClocks({ events })
    const onPostgres = await withPostgres((databaseUrl) => jumpClocks({ events, databaseUrl }))
    return {
      ok: onSqlite.refused === 0 && onPostgres.refused === 0,
      rows: [...rowsOf('SQLite', onSqlite), ...rowsOf('PostgreSQL', onPostgres)],
      note: `${onSqlite.jumps} clocks, 3 Birds of ${events} events under each${scaleNote}`,
    }
  },
}
export default jumps

const rowsOf = (engine: string, jumped: Jumped): Row[] => [
  exactly(`${engine}: changes missed`, jumped.missed, '', 0),
  exactly(`${engine}: answers in which updated_id did not rise`, jumped.unordered, '', 0),
  exactly(`${engine}: events miscounted`, jumped.miscounted, '', 0),
  exactly(`${engine}: incidents later than now`, jumped.early, '', 0),
  atLeast(`${engine}: changes`, jumped.changes, '', 50),
]
