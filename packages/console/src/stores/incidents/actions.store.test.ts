// A portion of a bulk action must cost what it changes, however many incidents its Flock or its node has.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations.gen.ts'
import { connect } from '../../db/sqlite/connection.ts'
import { openSqlite } from '../../db/sqlite/engine.ts'
import { sqliteKysely } from '../../db/sqlite/kysely.ts'
import { changing, type StateChange } from './actions.store.ts'

it('the incidents of a portion are looked up by their numbers, whatever state is asked of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-portions-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'x.db')
  const engine = openSqlite(path)
  await migrate(engine, migrations, () => 0)
  await engine.close()
  const connection = connect(path, { readOnly: true })
  onTestFinished(() => connection.close())
  const query = sqliteKysely(connection)
  const changes = fc.constantFrom<StateChange>('acknowledge', 'unacknowledge', 'delete')
  const states = fc.constantFrom(undefined, 0 as const, 1 as const)
  fc.assert(
    fc.property(states, changes, (acknowledged, change) => {
      const asked = changing('sqlite', {
        incidentIds: [1, 2, 3],
        change,
        now: 1,
        acknowledged,
        first: 1,
      }).compile(query).sql
      const marks = (asked.match(/\?/g) ?? []).map(() => 0)
      const walks = connection.raw.prepare(`EXPLAIN QUERY PLAN ${asked}`).all(...marks) as {
        detail: string
      }[]
      expect(walks.map(({ detail }) => detail)).toEqual([
        expect.stringContaining('SCAN x'),
        'SEARCH incident_state USING INTEGER PRIMARY KEY (rowid=?)',
      ])
    }),
  )
})
