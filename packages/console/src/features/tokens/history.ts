// What happened to a token: events of its incidents, and touches that its kind judged quiet, the newest first.
import type { TokenTouch } from '@rookery/contract/records/token.ts'
import { checkTimeZone, std } from '@rookery/kernel/time.ts'
import type { Static } from 'typebox'
import type { AppContext } from '../../app-context.ts'
import type { Scope } from '../../db/query.ts'
import { eventsOf, incidentsById } from '../../stores/incidents/one.store.ts'
import { searchPage } from '../../stores/incidents/search.store.ts'
import { quietTouchesOf } from '../../stores/tokens/quiet.store.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'

type TouchView = Static<typeof TokenTouch>

export interface HistoryRequest {
  readonly scope: Scope
  readonly token: Pick<TokenRow, 'token_id' | 'number'>
  readonly limit?: number
  readonly tz?: string
}

const DEFAULT_TOUCHES = 100
const MAX_TOUCHES = 1_000

/** Of the newest incidents of the token; deleted ones have no events. */
const MAX_INCIDENTS = 100

export async function tokenHistory(
  { engine, reader }: Pick<AppContext, 'engine' | 'reader'>,
  { scope, token, limit: wanted = DEFAULT_TOUCHES, tz = 'UTC' }: HistoryRequest,
): Promise<TouchView[]> {
  checkTimeZone(tz)
  const limit = Math.min(wanted, MAX_TOUCHES)
  const touches: { readonly at: number; readonly incident: string | null; readonly body: string }[] = []
  for (const { at, body } of await quietTouchesOf(reader, token.number, limit))
    touches.push({ at, incident: null, body })
  const found = await searchPage(
    engine,
    { scope, filter: { nodeId: token.token_id } },
    { limit: MAX_INCIDENTS },
  )
  const ids = found.map(({ incident_id }) => incident_id)
  const incidents = await incidentsById(reader, engine.name, ids)
  for (const [id, events] of await eventsOf(reader, engine.name, ids, limit))
    for (const { at, body } of events)
      touches.push({ at, incident: incidents.get(id)?.incident_key ?? null, body })
  return touches
    .toSorted((a, b) => b.at - a.at)
    .slice(0, limit)
    .map(({ at, incident, body }) => ({
      timestamp: Math.floor(at / 1000),
      timestamp_std: std(at, tz),
      quiet: incident === null,
      incident,
      event: JSON.parse(body) as Record<string, unknown>,
    }))
}
