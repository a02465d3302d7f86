// A page must cost what it shows: whatever is asked for, the walk begins where the page does and needs no sorting.
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
import { incidentPage, type PageRequest } from './page.store.ts'

async function freshFile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-pages-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'x.db')
  const engine = openSqlite(path)
  await migrate(engine, migrations, () => 0)
  await engine.close()
  return path
}

const maybe = <T>(value: T): fc.Arbitrary<T | undefined> => fc.constantFrom(undefined, value)

it('every list of a state, a Flock or a node is a walk over its own index, from the row at which the page begins', async () => {
  const connection = connect(await freshFile(), { readOnly: true })
  onTestFinished(() => connection.close())
  let asked: string[] = []
  const db = sqliteKysely({
    ...connection,
    prepare(sql) {
      asked.push(sql)
      return connection.prepare(sql)
    },
  })
  const position = { created_at: 5, incident_id: 7, updated_id: 5 }
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        acknowledged: fc.constantFrom<0 | 1 | undefined>(0, 1, undefined),
        flockId: maybe('flock:a'),
        nodeId: maybe('0123456789abcdef'),
        createdAfter: maybe(2),
        createdBefore: maybe(9),
      }),
      fc.record({
        order: fc.constantFrom<PageRequest['order']>('oldest', 'newest'),
        from: maybe(position),
        backward: fc.boolean(),
      }),
      async (conditions, { from, ...page }) => {
        asked = []
        const filter = Object.fromEntries(
          Object.entries(conditions).filter(([, value]) => value !== undefined),
        )
        await incidentPage(db, 'sqlite', 'all', filter, { ...page, ...(from && { from }), limit: 51 })
        const [index, others] =
          conditions.nodeId !== undefined
            ? ['incident_by_node', [expect.stringContaining('SEARCH state USING INTEGER PRIMARY KEY')]]
            : [conditions.flockId === undefined ? 'incident_by_state' : 'incident_by_flock', []]
        const isOneWalk = conditions.acknowledged !== undefined || conditions.nodeId !== undefined
        expect(asked.length).toBe(isOneWalk ? 1 : 2)
        for (const sql of asked) {
          const steps = connection.raw
            .prepare(`EXPLAIN QUERY PLAN ${sql}`)
            .all(...(sql.match(/\?/g) ?? []).map(() => 0)) as { detail: string }[]
          expect(steps.map(({ detail }) => detail)).toEqual([
            expect.stringMatching(`USING( COVERING)? INDEX ${index} `),
            ...others,
          ])
          // Within a millisecond, the walk passes over what came before.
          if (from) expect(steps[0]?.detail).toMatch(/AND created_at[<>]/)
        }
      },
    ),
  )
})
