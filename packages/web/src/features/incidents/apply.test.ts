import { describe, expect, it } from 'vitest'
import { append, applyChanges, enter, putBack, without, type Answer, type Row, type Rows } from './apply.ts'

const row = (hash_id: string, first: number, more: Partial<Row> = {}): Row =>
  ({ hash_id, first, updated_id: first, events_count: 1, ...more }) as Row

const list = (...rows: Row[]): Rows => ({
  rows,
  waiting: [],
  entered: new Set(),
  folds: new Set(),
  total: rows.length,
  max: 10,
})

const changes = (rows: Row[], more: Partial<Answer> = {}): Answer =>
  ({ rows, gone: [], total: rows.length, max_updated_id: 20, is_complete: true, ...more }) as Answer

const hashes = (rows: readonly Row[]): string[] => rows.map(({ hash_id }) => hash_id)

describe('what changed', () => {
  it('waits behind the pill while somebody works in the list', () => {
    const after = applyChanges(list(row('a', 5)), changes([row('b', 9)], { total: 2 }), false)
    expect(hashes(after.rows)).toEqual(['a'])
    expect(hashes(after.waiting)).toEqual(['b'])
    expect([after.total, after.max]).toEqual([2, 20])
    expect(hashes(enter(after).rows)).toEqual(['b', 'a'])
  })

  it('enters at the top of a list that nobody touches', () => {
    expect(hashes(applyChanges(list(row('a', 5)), changes([row('b', 9)]), true).rows)).toEqual(['b', 'a'])
  })

  it('changes a row in its place', () => {
    const after = applyChanges(
      list(row('a', 5), row('b', 4)),
      changes([row('b', 4, { events_count: 7 })]),
      false,
    )
    expect(after.rows.map(({ events_count }) => events_count)).toEqual([1, 7])
    expect(after.waiting).toEqual([])
  })

  it('takes out what no longer matches, also of what waits', () => {
    const waiting = applyChanges(list(row('a', 5)), changes([row('b', 9)]), false)
    const after = applyChanges(waiting, changes([], { gone: ['a', 'b'], total: 0 }), false)
    expect([after.rows, after.waiting, after.total]).toEqual([[], [], 0])
  })

  it('leaves out an older row of a page that is not loaded', () => {
    const after = applyChanges(
      { ...list(row('a', 5)), total: 100 },
      changes([row('old', 1)], { total: 100 }),
      true,
    )
    expect(hashes(after.rows)).toEqual(['a'])
  })
})

it('what one acknowledges leaves at once, and the total follows', () => {
  const after = without(list(row('a', 5), row('b', 4)), new Set(['a', 'elsewhere']))
  expect([hashes(after.rows), after.total]).toEqual([['b'], 1])
})

it('a refused change puts its rows back where they stood, and nothing twice', () => {
  const before = list(row('a', 5), row('b', 5), row('c', 4))
  const gone = new Set(['b'])
  const meanwhile = applyChanges(without(before, gone), changes([row('d', 6)], { total: 3 }), true)
  const after = putBack(meanwhile, before.rows, gone)
  expect([hashes(after.rows), after.total]).toEqual([['d', 'a', 'b', 'c'], 4])
  expect(hashes(putBack(after, before.rows, gone).rows)).toEqual(['d', 'a', 'b', 'c'])
})

it('the next page stands behind the ones before, each row once', () => {
  expect(hashes(append(list(row('a', 5), row('b', 4)), [row('b', 4), row('c', 3)]).rows)).toEqual([
    'a',
    'b',
    'c',
  ])
})
