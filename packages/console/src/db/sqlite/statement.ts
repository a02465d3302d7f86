// A prepared statement whose rows come as plain objects of one shape.
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

export interface Statement {
  /** Whether it answers rows. */
  readonly reads: boolean
  all(values: readonly SQLInputValue[]): object[]
  get(values: readonly SQLInputValue[]): object | undefined
  run(values: readonly SQLInputValue[]): ReturnType<StatementSync['run']>
  iterate(values: readonly SQLInputValue[]): IterableIterator<object>
}

/**
 * The objects are made here, from arrays: those that node:sqlite makes bring a hidden class each, which lies in the old
 * generation until that is swept, and their columns are looked up by name.
 */
export function shaped(statement: StatementSync): Statement {
  statement.setReturnArrays(true)
  let made: ((values: Values) => object) | undefined
  // Asked once, for it costs as much as a look-up, and after the first run: only then SQLite has seen a new schema.
  const rows = () => (made ??= rowsOf(statement.columns().map(({ name }) => name)))

  return {
    reads: statement.columns().length > 0,
    all(values) {
      const found = statement.all(...values) as unknown as Values[]
      return found.map(rows())
    },
    get(values) {
      const found = statement.get(...values) as unknown as Values | undefined
      return found && rows()(found)
    },
    run: (values) => statement.run(...values),
    *iterate(values) {
      for (const found of statement.iterate(...values)) yield rows()(found as unknown as Values)
    },
  }
}

type Values = readonly SQLOutputValue[]

function rowsOf(columns: readonly string[]): (values: Values) => object {
  class Row {
    [column: string]: SQLOutputValue

    constructor(values: Values) {
      for (let at = 0; at < columns.length; at++) this[columns[at] ?? ''] = values[at] ?? null
      if (columns.length > 0) return
      // Never run. The engine gives an object room for as many columns as it sees assigned here, and takes back what the
      // first few leave empty; without that, every third column would copy all those before it.
      this.a = this.b = this.c = this.d = this.e = this.f = this.g = this.h = null
      this.i = this.j = this.k = this.l = this.m = this.n = this.o = this.p = null
      this.q = this.r = this.s = this.t = this.u = this.v = this.w = this.x = null
    }
  }
  return (values) => new Row(values)
}
