// Answers that carry many tokens, built and sent in chunks, so that other requests are served in between.
import { JsonStream } from '@rookery/contract/implement.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'
import { tokenJson } from '../../views/tokens/view.ts'

type Chunks = Iterable<readonly TokenRow[]> | AsyncIterable<readonly TokenRow[]>

const ROWS_PER_CHUNK = 250

/** The other fields of the answer, then `tokens`. */
export const tokensAnswer = (
  vault: Vault,
  fields: Readonly<Record<string, unknown>>,
  chunks: Chunks,
): JsonStream => new JsonStream(chunksOfJson(vault, fields, chunks))

async function* chunksOfJson(
  vault: Vault,
  fields: Readonly<Record<string, unknown>>,
  chunks: Chunks,
): AsyncGenerator<string> {
  let text = `${JSON.stringify({ result: 'success', ...fields }).slice(0, -1)},"tokens":[`
  let isFirst = true
  for await (const rows of chunks) {
    for (const row of rows) {
      text += `${isFirst ? '' : ','}${tokenJson(vault, row)}`
      isFirst = false
    }
    yield text
    text = ''
    await new Promise((resolve) => setImmediate(resolve))
  }
  yield `${text}]}\n`
}

/** Rows in memory, in chunks. */
export function* chunksOf(rows: readonly TokenRow[]): Generator<readonly TokenRow[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_CHUNK) yield rows.slice(at, at + ROWS_PER_CHUNK)
}
