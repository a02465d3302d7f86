// What a database looks like after each migration, and whether one looks like that: the old or the new, never half.
import { openEngine } from '@rookery/console/open-context.ts'
import { migrate } from '@rookery/console/db/migrate.ts'
import { migrations } from '@rookery/console/db/migrations.gen.ts'
import type { OnEngine } from '../../rig/scenes/engines.ts'

/** The statements or descriptions of everything in the schema, in one order. */
export type Schema = readonly string[]

export const MIGRATIONS = Object.keys(migrations).sort()

export type Asked = Pick<OnEngine, 'engine' | 'rows'>

const SQLITE = `SELECT type || ' ' || name || ' ' || coalesce(sql, '') AS text FROM sqlite_master ORDER BY 1`
const POSTGRES = `
  SELECT 'column ' || table_name || '.' || column_name || ' ' || ordinal_position || ' ' || data_type || ' '
    || is_nullable || ' ' || coalesce(column_default, '') AS text
  FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'view ' || viewname || ' ' || definition FROM pg_views WHERE schemaname = 'public'
  UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal
  ORDER BY 1`

const schemaOf = async ({ engine, rows }: Asked): Promise<Schema> =>
  (await rows<{ text: string }>(engine === 'sqlite' ? SQLITE : POSTGRES)).map(({ text }) => text)

/** Applies the first `count` migrations, as a release that had no more did. */
export async function migrateTo(count: number, url: string, path: string): Promise<void> {
  const engine = await openEngine(url, path)
  try {
    await migrate(engine, Object.fromEntries(MIGRATIONS.slice(0, count).map(named)), () => Date.now())
  } finally {
    await engine.close()
  }
}

function named(name: string): [string, (typeof migrations)[string]] {
  const migration = migrations[name]
  if (!migration) throw new Error(`There is no migration ${name}.`)
  return [name, migration]
}

/** The schema after no migration, after the first, and so on; the database must be empty. */
export async function schemasByCount(asked: Asked, url: string, path: string): Promise<Schema[]> {
  const schemas: Schema[] = []
  for (let count = 0; count <= MIGRATIONS.length; count++) {
    await migrateTo(count, url, path)
    schemas.push(await schemaOf(asked))
  }
  return schemas
}

export interface State {
  /** Migrations applied. */
  readonly count: number
  /** What is not as after exactly these migrations, in words. */
  readonly faults: readonly string[]
}

/** Compares a database with what it must look like after the migrations that it says it has. */
export async function stateOf(asked: Asked, schemas: readonly Schema[]): Promise<State> {
  const applied = (await asked.rows<{ name: string }>('SELECT name FROM schema_migration ORDER BY name')).map(
    ({ name }) => name,
  )
  const count = applied.length
  const faults: string[] = []
  if (applied.join() !== MIGRATIONS.slice(0, count).join())
    faults.push(`the migrations ${applied.join(', ')} are not the first ${count}`)
  const [real, wanted] = [new Set(await schemaOf(asked)), new Set(schemas[count])]
  for (const text of wanted) if (!real.has(text)) faults.push(`after ${count}: missing: ${text}`)
  for (const text of real) if (!wanted.has(text)) faults.push(`after ${count}: too much: ${text}`)
  return { count, faults }
}
