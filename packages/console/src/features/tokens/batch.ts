// Tokens from a CSV: every row is judged before any token is created, and the answer is a CSV of the tokens.
import { FileStream } from '@rookery/contract/implement.ts'
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { nextImmediate } from '../../db/next-immediate.ts'
import type { Query } from '../../db/query.ts'
import { BATCH_ROWS, sha256, type TokenBatch, type TokenBatches } from '../../flows/tokens/token-batch.ts'
import { tokenRequest } from '../../flows/tokens/token-request.ts'
import type { Call } from '../../http/call.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { createdTokensAsCsv, type CreatedTokensDeps } from '../../views/tokens/created-tokens.ts'
import { batchLines, problemsOf, readLine, type BatchLine, type RowProblem } from './batch-rows.ts'

export interface BatchDeps extends CreatedTokensDeps {
  readonly reader: Query
  readonly batches: TokenBatches
}

interface Batch {
  readonly csv: string
  readonly flock_id: string
  readonly batch_id?: string
}

const SHOWN_PROBLEMS = 100
const VALUE_CHARACTERS = 80
const LINES_BETWEEN_PAUSES = 50

export async function createBatch(
  deps: BatchDeps,
  call: Call,
  { csv, flock_id, batch_id }: Batch,
): Promise<FileStream> {
  const batchId = batch_id ?? sha256(`${flock_id}\n${csv}`)
  return deps.batches.run(batchId, async (batch) => {
    const { lines, problems } = await judge(deps, call, batch, { csv, flockId: flock_id })
    if (problems.length > 0) throw refused(problems)
    if (lines.length === 0)
      throw refused([{ line: 1, column: '', value: '', reason: 'must be followed by a row for each token' }])
    call.note({ batch_id: batchId, tokens: lines.length })
    const rows = createdTokensAsCsv(deps, await batch.create())
    return new FileStream(`tokens-${batchId}.csv`, 'text/csv; charset=utf-8', rows)
  })
}

async function judge(
  { reader }: BatchDeps,
  call: Call,
  batch: TokenBatch,
  { csv, flockId }: { readonly csv: string; readonly flockId: string },
): Promise<{ readonly lines: readonly BatchLine[]; readonly problems: readonly RowProblem[] }> {
  const lines: BatchLine[] = []
  const problems: RowProblem[] = []
  const flocks = new Map<string, Promise<unknown>>()
  const checkFlock = (id: string): Promise<unknown> => {
    const checked = flocks.get(id) ?? existingFlock(reader, call.caller.scope, id)
    flocks.set(id, checked)
    return checked
  }
  for (const line of batchLines(csv)) {
    if ('reason' in line) {
      problems.push(line)
      continue
    }
    if (lines.push(line) > BATCH_ROWS.max) throw tooMany()
    try {
      const { flock_id, ...params } = readLine(line, flockId)
      await checkFlock(flock_id)
      await batch.add(
        tokenRequest(params, {
          flockId: flock_id,
          createdBy: call.caller.keyId,
          factoryKeyId: '',
          trail: call.auditEntry,
        }),
      )
    } catch (error) {
      if (!(error instanceof Fault) || !['bad-input', 'not-found'].includes(error.code)) throw error
      problems.push(...problemsOf(line, error))
    }
    if (lines.length % LINES_BETWEEN_PAUSES === 0) await nextImmediate()
  }
  return { lines, problems }
}

function tooMany(): Fault {
  BATCH_ROWS.hit()
  return invalidParameter(
    'csv',
    `must have at most ${BATCH_ROWS.max} rows behind its header; none was created`,
  )
}

function refused(problems: readonly RowProblem[]): Fault {
  const shown = problems.slice(0, SHOWN_PROBLEMS)
  const more = problems.length - shown.length
  const entries = shown.map(({ line, column, value, reason }, index): [string, string] => {
    const place = column === '' ? `line ${line}` : `line ${line}, column ${column.slice(0, VALUE_CHARACTERS)}`
    const given =
      value === '' || reason.includes(', not ')
        ? ''
        : `, not ${JSON.stringify(value.slice(0, VALUE_CHARACTERS))}`
    // Two problems of one cell are two entries.
    const isRepeated = shown.findIndex((it) => it.line === line && it.column === column) < index
    return [isRepeated ? `${place} (${index + 1})` : place, `${reason}${given}`]
  })
  const details = Object.fromEntries(entries)
  return new Fault(
    'bad-input',
    `The CSV has ${problems.length} ${problems.length === 1 ? 'mistake' : 'mistakes'}, so no token was created.`,
    { details: more > 0 ? { ...details, more: `${more} more mistakes are not shown` } : details },
  )
}
