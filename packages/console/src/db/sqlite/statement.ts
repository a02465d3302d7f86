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
 * Makes the objects from arrays: those of node:sqlite have a hidden class each, which stays in V8's old generation until a
 * major collection, and their columns are looked up by name.
 */
export function withPlainRows(statement: StatementSync): Statement {
  statement.setReturnArrays(true)
  let made: ((values: Values) => object) | undefined
  // Once, for `columns` costs as much as a look-up; after the first run, when SQLite has seen a new schema.
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
      // Never runs. V8 reserves as many in-object properties as it sees assigned in a constructor, and trims them after the
      // first objects (slack tracking); without these, every third column would copy all before it.
      this.a = this.b = this.c = this.d = this.e = this.f = this.g = this.h = null
      this.i = this.j = this.k = this.l = this.m = this.n = this.o = this.p = null
      this.q = this.r = this.s = this.t = this.u = this.v = this.w = this.x = null
    }
  }
  return (values) => new Row(values)
}
