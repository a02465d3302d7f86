// Writes down each statement that the product asks of a database while tests run, with the function that asked:
// query-plans.test.ts, which runs behind all others, explains them.
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  DefaultQueryCompiler,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type CompiledQuery,
} from 'kysely'
import { inject } from 'vitest'
import type { EngineName } from '../src/db/query.ts'

export interface AskedQuery {
  readonly engine: EngineName
  readonly sql: string
  /** As first asked; none of a statement that the writer has prepared for SQLite. */
  readonly values: readonly SQLInputValue[]
  /** File below `src`, and function. */
  readonly place: string
}

export const queryLogFolder = (): string => join(inject('scratch'), 'queries')

const RECORDER = Symbol.for('rookery.query-log')
const SOURCE = '/packages/console/src/'
/** Where the engines pass on what stores ask. */
const PASSES_ON = /^db\/(?!.*store\.ts)/

/** The innermost function that is neither a library's nor the engines'; nothing if a test asks by itself. */
function placeOf(stack: string): string | undefined {
  const frames = [...stack.matchAll(/^ +at (?:async )?(?:(.+?) \()?(?:file:\/\/)?(\/[^)]*?):\d+:\d+\)?$/gm)]
  let engine: string | undefined
  for (const [, name = '', path = ''] of frames) {
    if (path.includes('/node_modules/') || path === import.meta.filename) continue
    const at = path.indexOf(SOURCE)
    if (at < 0 || path.endsWith('.test.ts')) return undefined
    const file = path.slice(at + SOURCE.length).replace(/\?.*/, '')
    const place = `${file} ${name.replace(/^(Object|Module)\./, '')}`
    if (!PASSES_ON.test(file)) return place
    engine ??= place
  }
  return engine
}

const seen = new Set<string>()

function record(engine: EngineName, sql: string, values: readonly unknown[] = []): void {
  const key = engine + sql
  if (seen.has(key)) return
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 60
  const place = placeOf(new Error('asked').stack ?? '')
  Error.stackTraceLimit = limit
  if (place === undefined) return
  seen.add(key)
  const asked: AskedQuery = { engine, sql, values: values.map(written), place }
  mkdirSync(queryLogFolder(), { recursive: true })
  appendFileSync(join(queryLogFolder(), `${process.pid}.jsonl`), `${JSON.stringify(asked)}\n`)
}

/** As JSON and a statement's text can hold it. What bytes say changes no plan. */
const written = (value: unknown): SQLInputValue =>
  typeof value === 'bigint' ? Number(value) : value instanceof Uint8Array ? '' : (value as SQLInputValue)

/** A worker runs this for each of its files. */
function watch(): void {
  const { compileQuery } = DefaultQueryCompiler.prototype
  DefaultQueryCompiler.prototype.compileQuery = function (...args) {
    const compiled = compileQuery.apply(this, args)
    record(this instanceof PostgresQueryCompiler ? 'postgres' : 'sqlite', compiled.sql, compiled.parameters)
    return compiled
  }
  const { executeQuery } = Kysely.prototype
  Kysely.prototype.executeQuery = function <R>(this: Kysely<unknown>, query: CompiledQuery<R>) {
    if (this.getExecutor().adapter instanceof PostgresAdapter) record('postgres', query.sql, query.parameters)
    return executeQuery.call(this, query) as ReturnType<typeof executeQuery<R>>
  } as typeof executeQuery
  const { prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function (sql, ...rest) {
    record('sqlite', sql)
    return prepare.call(this, sql, ...rest)
  }
}

const marked = globalThis as { [RECORDER]?: true }
if (!marked[RECORDER]) {
  marked[RECORDER] = true
  watch()
}
