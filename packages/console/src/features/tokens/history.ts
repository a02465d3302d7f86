// What happened to a token, newest first: events of its incidents, merged with touches that raised none.
import type { AppContext } from '../../app-context.ts'
import type { Scope } from '../../db/query.ts'
import {
  eventsBefore,
  incidentsOfToken,
  type StoredTouch,
  type TouchedIncident,
  type TouchPosition,
} from '../../stores/tokens/history.store.ts'
import { quietTouchesOf } from '../../stores/tokens/quiet.store.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'

/** What the history of a token is merged from. */
export interface HistorySources {
  readonly quiet: readonly StoredTouch[]
  /** By their last touch, newest first. */
  readonly incidents: readonly TouchedIncident[]
}

type Deps = Pick<AppContext, 'engine' | 'reader'>

/** Of a token that is touched by so many sources, older incidents are found by search alone. */
const MAX_INCIDENTS = 10_000
const INCIDENTS_PER_READ = 200
const TOUCHES_PER_CHUNK = 500

export async function historySources(
  { engine, reader }: Deps,
  scope: Scope,
  { token_id, number }: Pick<TokenRow, 'token_id' | 'number'>,
): Promise<HistorySources> {
  const quiet = await quietTouchesOf(reader, number)
  return {
    quiet: quiet
      .map(({ quiet_id: id, at, reason, body }) => ({ at, id, nth: 0, incident: null, reason, body }))
      .toSorted(newestFirst),
    incidents: await incidentsOfToken(engine, { scope, tokenId: token_id }, MAX_INCIDENTS),
  }
}

/** The newest touches before a position, at most `limit`, and the sources without the incidents that have none before it. */
export async function touchesBefore(
  { engine }: Pick<Deps, 'engine'>,
  { quiet, incidents }: HistorySources,
  before: TouchPosition | undefined,
  limit: number,
): Promise<{ readonly touches: readonly StoredTouch[]; readonly sources: HistorySources }> {
  let touches = quiet.filter((touch) => !before || newestFirst(before, touch) < 0).slice(0, limit)
  const spent = new Set<TouchedIncident>()
  for (let from = 0; from < incidents.length; from += INCIDENTS_PER_READ) {
    const read = incidents.slice(from, from + INCIDENTS_PER_READ)
    const oldest = touches.length === limit ? touches.at(-1) : undefined
    // No incident from here on has a touch that is later.
    if (oldest && (read[0]?.last_at ?? 0) < oldest.at) break
    const ids = read.map(({ incident_id }) => incident_id)
    const events = await eventsBefore(engine, ids, before, limit)
    if (events.length === 0) read.forEach((incident) => spent.add(incident))
    touches = [...touches, ...events].toSorted(newestFirst).slice(0, limit)
  }
  return { touches, sources: { quiet, incidents: incidents.filter((it) => !spent.has(it)) } }
}

/** All touches in chunks, newest first. */
export async function* everyTouch(
  deps: Pick<Deps, 'engine'>,
  sources: HistorySources,
): AsyncGenerator<readonly StoredTouch[]> {
  let left = sources
  let before: TouchPosition | undefined
  do {
    const read = await touchesBefore(deps, left, before, TOUCHES_PER_CHUNK)
    yield read.touches
    left = read.sources
    before = read.touches.length === TOUCHES_PER_CHUNK ? read.touches.at(-1) : undefined
  } while (before)
}

const newestFirst = (a: TouchPosition, b: TouchPosition): number =>
  b.at - a.at || b.id - a.id || b.nth - a.nth
