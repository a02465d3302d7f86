// Rows for PostgreSQL's planner, which reads how many a table has, and guesses all else while nobody has analysed it.
import type pg from 'pg'

/** 100,000 rows of each table take a minute of a core; so many, said to be 100,000, have the same plans in two seconds. */
const ROWS = 1_000
const COUNTED = 100_000

const VALUES: Readonly<Record<string, string>> = {
  bigint: 'n',
  integer: 'n::integer',
  text: "'x' || n",
  bytea: 'int8send(n)',
}

interface Column {
  readonly table_name: string
  readonly data_type: string
  readonly is_nullable: 'YES' | 'NO'
}

/** Fills every table; no two of its values are the same. */
export async function fillTables(client: pg.Client): Promise<void> {
  const { rows: columns } = await client.query<Column>(
    `SELECT table_name, data_type, is_nullable FROM information_schema.tables JOIN information_schema.columns USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name, ordinal_position`,
  )
  for (const [table, own] of Map.groupBy(columns, (column) => column.table_name)) {
    const values = own.map((it) => (it.is_nullable === 'YES' ? 'NULL' : VALUES[it.data_type]))
    await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off); TRUNCATE ${table};
      INSERT INTO ${table} SELECT ${values.join(', ')} FROM generate_series(1, ${ROWS}) AS n`)
  }
  await client.query(
    `UPDATE pg_class SET reltuples = ${COUNTED}, relpages = pg_relation_size(oid) / 8192
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  )
}
