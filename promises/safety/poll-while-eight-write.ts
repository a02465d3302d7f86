import { atLeast, exactly, type Case, type Row } from '../rig/case.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { pollWhileWriting, type Polled } from './lib/polling.ts'
import { withPostgres } from './lib/postgres.ts'

const TOKENS = 5_000

const polling: Case = {
  id: 'G12',
  title:
    'one poller with incidents_since, eight writers, 1 million changes, on SQLite and on PostgreSQL with two consoles',
  async run() {
    const size = { changes: sized(1_000_000, 2_000), tokens: sized(TOKENS, 100) }
    const onSqlite = await pollWhileWriting(size)
    const onPostgres = await withPostgres((databaseUrl) => pollWhileWriting({ ...size, databaseUrl }))
    return {
      ok: [onSqlite, onPostgres].every((it) => it.refused === 0 && it.unordered === 0),
      rows: [...rowsOf('SQLite', onSqlite, size.changes), ...rowsOf('PostgreSQL', onPostgres, size.changes)],
      note: `polls: ${onSqlite.polls} in ${Math.round(onSqlite.seconds)} s, ${onPostgres.polls} in ${Math.round(onPostgres.seconds)} s${scaleNote}`,
    }
  },
}
export default polling

const rowsOf = (engine: string, polled: Polled, wanted: number): Row[] => [
  exactly(`${engine}: changes missed`, polled.missed, '', 0),
  exactly(`${engine}: answers out of order`, polled.unordered, '', 0),
  atLeast(`${engine}: changes`, polled.changes, '', wanted),
]
