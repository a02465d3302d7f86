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
import { stillMatching } from './actions.store.ts'

it('the incidents of a portion are looked up by their numbers, whatever else is asked of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-portions-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'x.db')
  const engine = openSqlite(path)
  await migrate(engine, migrations, () => 0)
  await engine.close()
  const connection = connect(path, { readOnly: true })
  onTestFinished(() => connection.close())
  let asked = ''
  const query = sqliteKysely({ ...connection, prepare: (sql) => connection.prepare((asked = sql)) })
  const filters = fc.record(
    {
      acknowledged: fc.constantFrom<0 | 1>(0, 1),
      flockId: fc.constant('flock:a'),
      nodeId: fc.constant('0123456789abcdef'),
      srcHost: fc.constant('192.0.2.1'),
      createdBefore: fc.constant(9),
      text: fc.constant('ssh'),
      logtypes: fc.constant(['4002']),
    },
    { requiredKeys: [] },
  )
  const scopes = fc.constantFrom('all' as const, ['flock:a'], ['flock:a', 'flock:b'])
  await fc.assert(
    fc.asyncProperty(filters, scopes, async (filter, scope) => {
      await stillMatching({ query, engine: 'sqlite' }, scope, filter, [1, 2, 3])
      const marks = (asked.match(/\?/g) ?? []).map(() => 0)
      const [walk] = connection.raw.prepare(`EXPLAIN QUERY PLAN ${asked}`).all(...marks) as {
        detail: string
      }[]
      expect(walk?.detail).toBe('SEARCH incident USING INTEGER PRIMARY KEY (rowid=?)')
    }),
  )
})
