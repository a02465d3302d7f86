import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { explain, isExplained } from './explain.ts'

it('a full disk under SQLite is named as one, without a stack', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('PRAGMA max_page_count = 2; CREATE TABLE t (c)')
  let error: unknown
  try {
    database.exec('INSERT INTO t VALUES (zeroblob(100000))')
  } catch (thrown) {
    error = thrown
  }
  database.close()
  expect(explain(error)).toBe('The disk is full. Free some space, or name a folder on another disk.')
  expect(isExplained(error)).toBe(true)
})
