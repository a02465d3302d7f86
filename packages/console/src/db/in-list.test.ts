import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../test/test-database.ts'
import { engines } from '../../test/test-console.ts'
import { inList, inTexts } from './in-list.ts'
import { recordset } from './recordset.ts'

const STRANGE = ['\ud800', 'x\udfff', '\0', '\\ud800', 'ü']

describe.each(engines)('texts that a statement brings along (%s)', (name) => {
  it('may be ones that no database stores: the others are still found', async () => {
    const { engine } = await openTestDatabase(name)
    await engine.transaction((tx) => tx.insertMany('meta', [{ name: 'ours', value: '1' }]))
    const given = [...STRANGE, 'ours']
    const found = await engine.reader
      .selectFrom('meta')
      .select('name')
      .where(inList(name, 'name', given))
      .execute()
    expect(found).toEqual([{ name: 'ours' }])
    await engine.transaction(async (tx) => {
      const { sql: condition, value } = inTexts(name, 'name', given)
      expect(await tx.rows(`SELECT name FROM meta WHERE ${condition}`, [value])).toEqual([{ name: 'ours' }])
    })
    const rows = given.map((text) => ({ text }))
    const { rows: joined } = await sql`
      SELECT name FROM meta JOIN ${recordset(name, 'given', { text: 'text' }, rows)} ON name = given.text
    `.execute(engine.reader)
    expect(joined).toEqual([{ name: 'ours' }])
  })
})
