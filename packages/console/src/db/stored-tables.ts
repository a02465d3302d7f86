// Every table that a database has, as its own catalogue says: what copies a whole database forgets none.
import { sql } from 'kysely'
import type { Engine } from './engine.ts'
import type { Schema } from './schema.gen.ts'

export interface StoredTable {
  readonly name: keyof Schema & string
  readonly columns: readonly string[]
  /** The columns of its primary key, in their order. */
  readonly key: readonly string[]
}

interface Column {
  readonly table: string
  readonly column: string
  /** The place in the primary key, from 1; 0 of any other column. */
  readonly nth: number
}

const COLUMNS = {
  sqlite: sql<Column>`SELECT t.name AS "table", c.name AS "column", c.pk AS nth
    FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\\' ORDER BY t.name, c.cid`,
  postgres: sql<Column>`SELECT t.relname AS "table", c.attname AS "column",
      coalesce(array_position(k.indkey::int2[], c.attnum), -1) + 1 AS nth
    FROM pg_class AS t JOIN pg_attribute AS c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
      LEFT JOIN pg_index AS k ON k.indrelid = t.oid AND k.indisprimary
    WHERE t.relkind IN ('r', 'p') AND t.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      AND pg_table_is_visible(t.oid) ORDER BY t.relname COLLATE "C", c.attnum`,
}

/** In the order of their names; none of an empty database. */
export async function storedTables({
  name,
  reader,
}: Pick<Engine, 'name' | 'reader'>): Promise<StoredTable[]> {
  const { rows } = await COLUMNS[name].execute(reader)
  return [...Map.groupBy(rows, ({ table }) => table)].map(([table, columns]) => ({
    name: table as StoredTable['name'],
    columns: columns.map(({ column }) => column),
    key: columns
      .filter(({ nth }) => nth > 0)
      .sort((a, b) => a.nth - b.nth)
      .map(({ column }) => column),
  }))
}

/** May take seconds for a large table. */
export async function countRows(
  { reader, longRead }: Pick<Engine, 'reader' | 'longRead'>,
  table: string,
): Promise<number> {
  const [row] = await longRead(
    sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.compile(reader),
  )
  return Number(row?.n)
}
