import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { connect } from './connection.ts'
import { openSqlite } from './engine.ts'
import { ownFolder } from '../../../test/own-folder.ts'

const path = (): string => join(ownFolder(), 'x.db')

it('a row has its columns under their names, however many', () => {
  const connection = connect(path(), { readOnly: false })
  onTestFinished(() => connection.close())
  for (const count of [1, 4, 27, 60]) {
    const names = Array.from({ length: count }, (_, n) => `c${n}`)
    const reading = connection.statement(`SELECT ${names.map((name, n) => `${n} AS ${name}`).join(', ')}`)
    const row = Object.fromEntries(names.map((name, n) => [name, n]))
    for (let again = 0; again < 20; again++) expect(reading.all([])).toEqual([row])
    expect(reading.get([])).toEqual(row)
    expect([...reading.iterate([])]).toEqual([row])
  }
  expect(connection.statement('SELECT ? AS text, NULL AS none, ? AS bytes').get(['a', Buffer.of(7)])).toEqual(
    {
      text: 'a',
      none: null,
      bytes: new Uint8Array([7]),
    },
  )
  expect(connection.statement('SELECT 1 AS n WHERE 0').get([])).toBeUndefined()
})

it('after a change of the schema a row has the new columns', async () => {
  const engine = openSqlite(path())
  onTestFinished(() => engine.close())
  const alter = (text: string) => engine.alter(async (query) => void (await sql.raw(text).execute(query)))
  const read = async () => (await sql`SELECT * FROM t`.execute(engine.reader)).rows
  await alter('CREATE TABLE t (a, b)')
  await alter('INSERT INTO t VALUES (1, 2)')
  expect(await read()).toEqual([{ a: 1, b: 2 }])
  await alter('ALTER TABLE t RENAME COLUMN b TO c')
  await alter('ALTER TABLE t ADD COLUMN d DEFAULT 4')
  expect(await read()).toEqual([{ a: 1, c: 2, d: 4 }])
})
