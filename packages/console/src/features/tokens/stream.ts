// Answers that carry many tokens, made and sent in pieces: no other request waits for the whole.
import { JsonStream } from '@rookery/contract/implement.ts'
import type { Engine } from '../../db/engine.ts'
import type { Scope } from '../../db/query.ts'
import { tokenPage, type TokenPosition } from '../../stores/tokens/lists.store.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'
import { tokenView } from '../../tokens/view.ts'

const AT_ONCE = 250

/** `tokens` behind the other fields of the answer. */
export const tokensAnswer = (
  fields: Readonly<Record<string, unknown>>,
  portions: Iterable<readonly TokenRow[]> | AsyncIterable<readonly TokenRow[]>,
): JsonStream => new JsonStream(pieces(fields, portions))

async function* pieces(
  fields: Readonly<Record<string, unknown>>,
  portions: Iterable<readonly TokenRow[]> | AsyncIterable<readonly TokenRow[]>,
): AsyncGenerator<string> {
  let text = `${JSON.stringify({ result: 'success', ...fields }).slice(0, -1)},"tokens":[`
  let isFirst = true
  for await (const rows of portions) {
    for (const row of rows) {
      text += (isFirst ? '' : ',') + JSON.stringify(tokenView(row))
      isFirst = false
    }
    yield text
    text = ''
  }
  yield `${text}]}\n`
}

/** Rows that are there already, a portion at a time. */
export function* portionsOf(rows: readonly TokenRow[]): Generator<readonly TokenRow[]> {
  for (let at = 0; at < rows.length; at += AT_ONCE) yield rows.slice(at, at + AT_ONCE)
}

/** Every token of a Flock, read a portion at a time. */
export async function* tokensOfFlock(
  engine: Engine,
  scope: Scope,
  flockId: string,
): AsyncGenerator<readonly TokenRow[]> {
  let from: TokenPosition | undefined
  do {
    const rows: readonly TokenRow[] = await tokenPage(
      engine,
      scope,
      { flockId },
      {
        order: 'oldest',
        limit: AT_ONCE,
        ...(from && { from }),
      },
    )
    yield rows
    from = rows.length === AT_ONCE ? rows.at(-1) : undefined
  } while (from)
}
