// Creates many tokens: all are prepared before any is stored, and a batch that was cut is completed when it is repeated.
import { createHash } from 'node:crypto'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { AppContext } from '../../app-context.ts'
import { otherRow, readBatchRows } from '../../stores/tokens/batches.store.ts'
import { findTokens, type TokenRow } from '../../stores/tokens/store.ts'
import type { TokenCreator } from './create.ts'
import type { TokenRequest } from './draft.ts'
import type { PreparedToken } from './store-tokens.ts'

/** Rows that are judged; the tokens of those that have one already. */
export interface TokenBatch {
  /** Prepares the next row; a `bad-input` or `not-found` where it cannot become a token. */
  add(request: TokenRequest): Promise<void>
  /** Stores what was added; answers the tokens in the order of the rows. */
  create(): Promise<readonly TokenRow[]>
}

export interface TokenBatches {
  /** Runs one batch at a time; `unavailable` for a second one. */
  run<T>(batchId: string, work: (batch: TokenBatch) => Promise<T>): Promise<T>
}

/** Rows of one CSV of tokens. */
export const BATCH_ROWS = limit('token_batch_rows', 10_000)
/** Prepared tokens lie in memory. */
const BATCHES = limit('token_batches_at_once', 1)
const ROWS_PER_CHUNK = 512
const RETRY_AFTER_S = 10

export function tokenBatches(
  { engine, reader }: Pick<AppContext, 'engine' | 'reader'>,
  creator: Pick<TokenCreator, 'prepare' | 'store'>,
): TokenBatches {
  let running = 0

  async function open(batchId: string): Promise<TokenBatch> {
    const rows = await readBatchRows(reader, batchId, 1, BATCH_ROWS.max)
    const stored = new Map(rows.map((row) => [row.nth, row]))
    const planned: (PreparedToken | string)[] = []
    return {
      async add(request) {
        const nth = planned.length + 1
        const batchRow = { batch_id: batchId, nth, digest: digestOf(request) }
        const known = stored.get(nth)
        if (known && known.digest !== batchRow.digest) throw otherRow(batchRow)
        planned.push(known ? known.token_id : { ...(await creator.prepare(request)), batchRow })
      },
      create: async () => (await createAll(batchId, planned)).flat(),
    }
  }

  async function createAll(
    batchId: string,
    planned: readonly (PreparedToken | string)[],
  ): Promise<TokenRow[][]> {
    const chunks: TokenRow[][] = []
    for (let from = 0; from < planned.length; from += ROWS_PER_CHUNK) {
      try {
        chunks.push(await createChunk(planned.slice(from, from + ROWS_PER_CHUNK)))
      } catch (error) {
        throw cut(error, batchId, from, planned.length)
      }
    }
    return chunks
  }

  async function createChunk(planned: readonly (PreparedToken | string)[]): Promise<TokenRow[]> {
    const ids = planned.filter((it) => typeof it === 'string')
    const found = ids.length === 0 ? [] : await findTokens({ query: reader, engine: engine.name }, 'all', ids)
    const known = new Map(found.map((token) => [token.token_id, token]))
    const tokens = await Promise.all(
      planned.map((it) => (typeof it === 'string' ? Promise.resolve(known.get(it)) : creator.store(it))),
    )
    // One that is deleted meanwhile is left out.
    return tokens.filter((token) => token !== undefined)
  }

  return {
    async run(batchId, work) {
      if (running >= BATCHES.max) {
        BATCHES.hit()
        throw new Fault(
          'too-many',
          `This console creates the tokens of another batch: send this one again in ${RETRY_AFTER_S} s.`,
          { retryAfterS: RETRY_AFTER_S },
        )
      }
      running++
      try {
        return await work(await open(batchId))
      } finally {
        running--
      }
    },
  }
}

/** Says how far the batch went, and how it goes on. */
function cut(error: unknown, batchId: string, created: number, total: number): unknown {
  if (!(error instanceof Fault) || error.code !== 'unavailable') return error
  const { message, retryAfterS = RETRY_AFTER_S } = error
  return new Fault(
    'unavailable',
    `${message} At least ${created} of ${total} tokens are created: send the same CSV again with batch_id ${batchId} for the rest.`,
    { retryAfterS, cause: error },
  )
}

function digestOf({ kind, memo, flockId, customDomain = '', care, given }: TokenRequest): string {
  const settings = Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sha256(JSON.stringify([kind, memo, flockId, customDomain, care, settings]))
}

/** 32 hex digits. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
