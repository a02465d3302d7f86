// The history of a token as an answer: a page of JSON with a cursor, or all of it as a CSV file.
import { FileStream } from '@rookery/contract/implement.ts'
import { checkTimeZone } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks } from '../../http/cursor-links.ts'
import { readCursor, signCursor } from '../../secrets/cursor.ts'
import type { TouchPosition } from '../../stores/tokens/history.store.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'
import { touchesAsCsv, touchView } from '../../views/tokens/history.ts'
import { everyTouch, historySources, touchesBefore } from './history.ts'

const PATH = '/decoytoken/history'
const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000

interface CursorState {
  readonly limit: number
  readonly tz: string
  readonly before: TouchPosition
}

export async function historyPage(
  deps: Pick<AppContext, 'engine' | 'reader' | 'vault'>,
  token: TokenRow,
  call: Call,
  asked: { readonly limit?: number; readonly cursor?: string; readonly tz?: string },
) {
  // A cursor belongs to one token.
  const list = `${PATH} ${token.token_id}`
  const { limit, tz, before } =
    asked.cursor === undefined
      ? { limit: Math.min(asked.limit ?? DEFAULT_LIMIT, MAX_LIMIT), tz: asked.tz ?? 'UTC', before: undefined }
      : (readCursor(deps.vault, list, asked.cursor) as CursorState)
  checkTimeZone(tz)
  const sources = await historySources(deps, call.caller.scope, token)
  // One more than is shown: if it is there, so is another page.
  const { touches } = await touchesBefore(deps, sources, before, limit + 1)
  const shown = touches.slice(0, limit)
  const last = touches.length > limit ? shown.at(-1) : undefined
  const next =
    last === undefined
      ? null
      : signCursor(deps.vault, list, {
          limit,
          tz,
          before: { at: last.at, id: last.id, nth: last.nth },
        } satisfies CursorState)
  return {
    history: shown.map((touch) => touchView(touch, tz)),
    cursor: cursorLinks({ next, prev: null }, PATH, call, { decoytoken: token.token_id }),
  }
}

export async function historyFile(
  deps: Pick<AppContext, 'engine' | 'reader'>,
  token: TokenRow,
  call: Call,
  tz = 'UTC',
): Promise<FileStream> {
  checkTimeZone(tz)
  const sources = await historySources(deps, call.caller.scope, token)
  const rows = touchesAsCsv(everyTouch(deps, sources), tz)
  return new FileStream(`history-${token.token_id}.csv`, 'text/csv; charset=utf-8', rows)
}
