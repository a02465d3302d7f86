import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../test/test-database.ts'
import { engines } from '../../test/test-console.ts'
import { withinTime } from './time-limit.ts'

describe.each(engines)('a long read (%s)', (name) => {
  it('ends soon after its time, and the next one is answered', async () => {
    const { engine } = await openTestDatabase(name)
    const count = (rows: number) =>
      sql<{ n: number }>`
        WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${sql.lit(rows)})
        SELECT count(*) AS n FROM c WHERE ${withinTime(name, 'n')}`.compile(engine.reader)
    await expect(engine.longRead(count(2_000_000_000), 300)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The search took longer than 0 s: narrow it down.',
    })
    expect(await engine.longRead(count(10_000), 30_000)).toEqual([{ n: 10_000 }])
  })
})
