import { describe, expect, it } from 'vitest'
import { hostile } from '../../kit/hostile.ts'
import { append, applyChanges, enter, without, type Answer, type Row, type Rows } from './apply.ts'
import { foldsOf, isFold, linesOf } from './fold.ts'

const row = (hash_id: string, last: number, source = '192.0.2.7'): Row =>
  ({ hash_id, first: last, last, updated_id: last, src_host: hostile(source) }) as Row
/** Newest first, `seconds` apart. */
const touches = (n: number, seconds: number, source?: string, from = 10_000): Row[] =>
  Array.from({ length: n }, (_, at) => row(`${source ?? 'it'}-${from - at}`, from - at * seconds, source))
const list = (rows: readonly Row[]): Rows => ({
  rows,
  waiting: [],
  entered: new Set<string>(),
  folds: foldsOf(rows),
  total: rows.length,
  max: 0,
})
const shown = ({ rows, folds }: Rows, ...opened: string[]): string[] =>
  linesOf(rows, folds, new Set(opened)).map((line) =>
    isFold(line) ? `${line.source} ${line.rows.length}` : line.id,
  )

describe('incidents of one source are one line', () => {
  it('where five were touched within ten minutes, and older ones of that source with them', () => {
    expect(shown(list(touches(5, 150)))).toEqual(['192.0.2.7 5'])
    expect(shown(list([...touches(5, 150), row('old', 1)]))).toEqual(['192.0.2.7 6'])
  })

  it('and not where it is four, or the time is longer, or the source is no address', () => {
    for (const rows of [touches(4, 1), touches(9, 151), touches(9, 1, 'many sources')])
      expect(shown(list(rows))).toHaveLength(rows.length)
  })

  it('where the newest of them stands, and those of others keep their places', () => {
    const [first, ...others] = touches(5, 10) as [Row, ...Row[]]
    const rows = [row('a', 10_001, '192.0.2.1'), first, row('b', 9_999, '192.0.2.2'), ...others]
    expect(shown(list(rows))).toEqual(['a', '192.0.2.7 5', 'b'])
  })

  it('and unfold in place', () => {
    const rows = [...touches(5, 1), row('b', 1, '192.0.2.2')]
    const ids = rows.map(({ hash_id }) => hash_id)
    expect(shown(list(rows), '192.0.2.7')).toEqual(['192.0.2.7 5', ...ids])
  })
})

describe('nothing jumps under the pointer', () => {
  const four = list(touches(4, 1))
  const fifth = { rows: [row('new', 10_001)], gone: [], total: 5, max_updated_id: 1, is_complete: true }

  it('a fifth incident waits, and folds the others once it is let in', () => {
    const after = applyChanges(four, fifth as unknown as Answer, false)
    expect(shown(after)).toHaveLength(4)
    expect(shown(enter(after))).toEqual(['192.0.2.7 5'])
  })

  it('a page behind folds what is new in it, and what is shown stays', () => {
    const more = [...touches(5, 1, '192.0.2.7', 9_000), ...touches(5, 1, '192.0.2.8', 9_000)]
    expect(shown(append(four, more))).toEqual([
      ...touches(4, 1).map(({ hash_id }) => hash_id),
      ...touches(5, 1, '192.0.2.7', 9_000).map(({ hash_id }) => hash_id),
      '192.0.2.8 5',
    ])
  })

  it('a fold stays one while some are taken out', () => {
    expect(shown(without(list(touches(5, 1)), new Set(['it-10000', 'it-9999'])))).toEqual(['192.0.2.7 3'])
  })
})
