// Extension: rows of a list of incidents, the events of one, and what each kind of incident means.
import { incidentViews } from '@rookery/contract/groups/incident-views.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { invalidParameter, required } from '@rookery/kernel/fault.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks } from '../../http/cursor-links.ts'
import { logtypes } from '../../logtypes.ts'
import { incidentNames } from '../../secrets/incident-name.ts'
import { readCursor, signCursor } from '../../secrets/cursor.ts'
import { eventsOf, findIncident } from '../../stores/incidents/one.store.ts'
import { openPreviouslySeen } from '../../stores/incidents/sources.store.ts'
import { openTotalsCache } from '../../views/incidents/totals-cache.ts'
import { exportIncidents } from './export.ts'
import { openRenderRows } from './render-rows.ts'
import { report } from './report.ts'
import { rows } from './rows.ts'
import { timeline } from './timeline.ts'

interface IncidentViewDeps extends Pick<AppContext, 'engine' | 'reader' | 'vault' | 'world' | 'config'> {
  readonly assets: Pick<Assets, 'index'>
}

const EVENTS = '/incident/events'
const PAGE = 100

/** Of one incident: its number, and the number of the event before the page. */
interface EventsPage {
  readonly hash_id: string
  readonly after: number
  readonly limit: number
}

export function incidentViewsRoutes(base: IncidentViewDeps): Route<Call>[] {
  const { engine, reader, vault, world } = base
  const names = incidentNames(vault)
  const previouslySeen = openPreviouslySeen(engine)
  const listing = {
    ...base,
    totals: openTotalsCache(world.clock),
    render: openRenderRows({ ...base, previouslySeen }),
  }

  return implement(incidentViews, {
    rows: (params, call: Call) => rows(listing, params, call),
    export: (params, call: Call) => exportIncidents(base, params, call),
    timeline: (params, call: Call) => timeline(base, params, call),
    report: (params, call: Call) => report(base, params, call),
    async events({ incident, hash_id, limit = PAGE, cursor }, call: Call) {
      if (cursor === undefined && incident === undefined && hash_id === undefined)
        throw invalidParameter('incident', 'is required, unless hash_id is given')
      const page = cursor === undefined ? undefined : (readCursor(vault, EVENTS, cursor) as EventsPage)
      const by =
        page === undefined && incident !== undefined
          ? { key: incident }
          : { hashId: page?.hash_id ?? hash_id ?? '' }
      const row = required(await findIncident(reader, names, call.caller.scope, by), 'Incident not found')
      const stored = (await eventsOf(reader, engine.name, [row.incident_id])).get(row.incident_id) ?? []
      const most = page?.limit ?? limit
      const left = stored.filter(({ nth }) => nth > (page?.after ?? 0))
      const shown = left.slice(0, most)
      const last = shown.at(-1)
      const next =
        left.length > most && last
          ? signCursor(vault, EVENTS, {
              hash_id: row.hash_id,
              after: last.nth,
              limit: most,
            } satisfies EventsPage)
          : null
      return {
        events: shown.map(({ nth, at, body }) => ({
          nth,
          at: at / 1000,
          fields: JSON.parse(body) as Record<string, unknown>,
        })),
        total: row.events_count,
        first: epoch(row.created_at),
        last: epoch(row.last_at ?? row.updated_at),
        cursor: cursorLinks({ next, prev: null }, EVENTS, call),
      }
    },
    logtypes: () =>
      Promise.resolve({
        logtypes: Object.fromEntries(
          [...logtypes].flatMap(([number, { summary, level, evidence, meaning, next }]) =>
            level === undefined
              ? []
              : [
                  [
                    number,
                    {
                      summary,
                      level,
                      evidence: [...(evidence ?? [])],
                      meaning: meaning ?? '',
                      next: [...(next ?? [])],
                    },
                  ],
                ],
          ),
        ),
      }),
  })
}
