// Answers that carry many tokens, made and sent in pieces: no other request waits for the whole.
import { JsonStream } from '@rookery/contract/implement.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'
import { tokenJson } from '../../tokens/view.ts'

type Portions = Iterable<readonly TokenRow[]> | AsyncIterable<readonly TokenRow[]>

const AT_ONCE = 250

/** `tokens` behind the other fields of the answer. */
export const tokensAnswer = (fields: Readonly<Record<string, unknown>>, portions: Portions): JsonStream =>
  new JsonStream(pieces(fields, portions))

async function* pieces(
  fields: Readonly<Record<string, unknown>>,
  portions: Portions,
): AsyncGenerator<string> {
  let text = `${JSON.stringify({ result: 'success', ...fields }).slice(0, -1)},"tokens":[`
  let isFirst = true
  for await (const rows of portions) {
    for (const row of rows) {
      text += isFirst ? tokenJson(row) : `,${tokenJson(row)}`
      isFirst = false
    }
    yield text
    text = ''
    await new Promise((resolve) => setImmediate(resolve))
  }
  yield `${text}]}\n`
}

/** Rows that are there already, a portion at a time. */
export function* portionsOf(rows: readonly TokenRow[]): Generator<readonly TokenRow[]> {
  for (let at = 0; at < rows.length; at += AT_ONCE) yield rows.slice(at, at + AT_ONCE)
}
