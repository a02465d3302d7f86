import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../test/test-database.ts'
import { engines } from '../../test/test-console.ts'
import { containsText } from './text.ts'

/** As no locale would: A to Z alone. */
const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

describe.each(engines)('a text among columns (%s)', (name) => {
  it('is found where a column has it, in any case, and never across two', async () => {
    const { engine } = await openTestDatabase(name)
    const text = fc.string({
      unit: fc.constantFrom('a', 'A', 'b', 'ü', 'Ü', '%', '_', '\\', '.', '\u0001', '\u0002'),
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.option(text),
        text.filter((it) => it !== ''),
        async (one, two, wanted) => {
          const given = sql`(SELECT CAST(${one} AS TEXT) AS one, CAST(${two} AS TEXT) AS two) AS given`
          const found =
            await sql`SELECT 1 AS hit FROM ${given} WHERE ${containsText(name, ['one', 'two'], wanted)}`.execute(
              engine.reader,
            )
          const has = (it: string | null): boolean => folded(it ?? '').includes(folded(wanted))
          expect(found.rows.length > 0).toBe(has(one) || has(two))
        },
      ),
    )
  })
})
