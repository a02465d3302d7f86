// A CSV of tokens to create: what its rows say, and what is wrong with them, by line and column.
import { tokens } from '@rookery/contract/groups/tokens.ts'
import { tokenCare } from '@rookery/contract/records/token.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { CsvError, readCsv, type CsvRecord } from '@rookery/kernel/csv/read.ts'
import { type Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { suggest } from '@rookery/kernel/suggest.ts'
import { kindNamed } from '../../flows/tokens/kinds.ts'
import { coerce } from '../../http/coerce.ts'

export type TokenParams = Params<typeof tokens.create>

export interface RowProblem {
  readonly line: number
  /** Empty where the whole row is meant. */
  readonly column: string
  readonly value: string
  /** `must be …` */
  readonly reason: string
}

export interface BatchLine {
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
}

const { params } = tokens.create
const FILE_COLUMNS = Object.entries(params.properties)
  .filter(([, property]) => (property as { format?: string }).format === 'binary')
  .map(([name]) => name)
const COLUMNS = Object.keys(params.properties).filter((name) => !FILE_COLUMNS.includes(name))
const SECRET_COLUMNS = Object.entries(params.properties)
  .filter(([, property]) => (property as { secret?: unknown }).secret !== undefined)
  .map(([name]) => name)
const REQUIRED = ['kind', 'memo']
/** Anything else in the first row may be the cell of a file without a header, and a secret. */
const COLUMN_NAME = /^[a-z][a-z_]*[a-z]\d?$/

/** What stands in the place of bytes that are no UTF-8, as those of Latin-1. */
const UNREAD = '\uFFFD'

/** The rows behind the header; a problem instead of one that has no place in it. */
export function* batchLines(csv: string): Generator<BatchLine | RowProblem> {
  const unread = csv.indexOf(UNREAD)
  if (unread >= 0) {
    const line = csv.slice(0, unread).split('\n').length
    return yield { line, column: '', value: '', reason: 'must be text in UTF-8' }
  }
  const records = readCsv(csv)
  try {
    const { value: header } = records.next()
    const { line, cells }: CsvRecord = header ?? { line: 1, cells: [] }
    const columns = cells.map((cell) => cell.trim().toLowerCase())
    const problems = headerProblems(columns).map((problem) => ({ line, ...problem }))
    yield* problems
    if (problems.length > 0) return
    for (const record of records) yield lineOf(columns, record)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    yield { line: error.line, column: '', value: '', reason: error.message }
  }
}

function headerProblems(columns: readonly string[]): Omit<RowProblem, 'line'>[] {
  const missing = REQUIRED.filter((name) => !columns.includes(name))
  const separator = columns.length === 1 && /[;\t]/.exec(columns[0] ?? '')?.[0]
  if (separator)
    return [
      {
        column: '',
        value: '',
        reason: `must separate its columns by commas, not by ${JSON.stringify(separator)}`,
      },
    ]
  return [
    ...missing.map((column) => ({
      column,
      value: '',
      reason: 'is required: the first row names the columns',
    })),
    ...columns.flatMap((column, at) => {
      if (columns.indexOf(column) !== at) return [{ column, value: column, reason: 'must be named once' }]
      if (COLUMNS.includes(column)) return []
      return COLUMN_NAME.test(column)
        ? [{ column, value: column, reason: unknownColumn(column) }]
        : [{ column: String(at + 1), value: '', reason: unknownColumn(column) }]
    }),
  ]
}

function unknownColumn(column: string): string {
  if (FILE_COLUMNS.includes(column)) return 'is a file: create such tokens one by one'
  const [similar] = suggest(column, COLUMNS)
  return `must be one of ${COLUMNS.join(', ')}${similar === undefined ? '' : `; did you mean ${similar}?`}`
}

function lineOf(columns: readonly string[], { line, cells }: CsvRecord): BatchLine | RowProblem {
  if (cells.length === columns.length)
    return { line, cells: Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])) }
  const reason = `must have ${columns.length} cells, as the first row has, not ${cells.length}`
  const hasSecrets = columns.some((name) => SECRET_COLUMNS.includes(name))
  return { line, column: '', value: hasSecrets ? '' : cells.join(',').slice(0, 200), reason }
}

/** The parameters of a row; a `bad-input` as that of a single creation. */
export function readLine({ cells }: BatchLine, flockId: string): TokenParams {
  const filled = Object.entries(cells).filter(([, cell]) => cell !== '')
  const read = coerce(params, { flock_id: flockId, memo: '', kind: '', ...Object.fromEntries(filled) })
  const { settings } = kindNamed(read.kind).descriptor
  const foreign = filled.find(([name]) => !isCommon(name) && !Object.hasOwn(settings, name))
  if (foreign) throw invalidParameter(foreign[0], `must be empty: the kind ${read.kind} does not take it`)
  const file = FILE_COLUMNS.find((name) => settings[name]?.required)
  if (file !== undefined)
    throw invalidParameter('kind', `needs the file ${file}: create such tokens one by one`)
  return read
}

const COMMON = ['kind', 'memo', 'flock_id', 'custom_domain', ...Object.keys(tokenCare)]
const isCommon = (name: string): boolean => COMMON.includes(name)

/** What a `bad-input` or `not-found` says of the cells of a row. */
export function problemsOf({ line, cells }: BatchLine, { code, message, details }: Fault): RowProblem[] {
  const found = details ?? { [code === 'not-found' ? 'flock_id' : '']: message }
  return Object.entries(found).map(([column, reason]) => ({
    line,
    column,
    value: SECRET_COLUMNS.includes(column) ? '' : (cells[column] ?? ''),
    reason,
  }))
}
