// The open incidents of a Bird in their listing form, for the Bird's own page.
import type { ListedIncident, OpenIncident } from '@rookery/contract/records/incident.ts'
import type { AppContext } from '../../app-context.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import { flockNames } from '../../stores/flocks/store.ts'
import { openIncidentsOf } from '../../stores/incidents/list.store.ts'
import { eventsOf } from '../../stores/incidents/one.store.ts'
import { listingJson } from './listing.ts'

/** A Bird under attack has many; its page shows the newest of them. */
const MAX_INCIDENTS = 100
const MAX_EVENTS = 10

export type OpenIncidents = (nodeId: string, tz: string) => Promise<OpenIncident[]>

export const openIncidents =
  ({
    reader,
    engine,
    config,
    assets,
  }: Pick<AppContext, 'reader' | 'engine' | 'config'> & {
    readonly assets: Pick<Assets, 'index'>
  }): OpenIncidents =>
  async (nodeId, tz) => {
    const rows = await openIncidentsOf(reader, nodeId, MAX_INCIDENTS)
    const ids = rows.map((row) => row.incident_id)
    const events = await eventsOf(reader, engine.name, ids, MAX_EVENTS)
    const names = await config.get('flock names', flockNames)
    const options = { assets: await assets.index(), tz, shrink: true, flockNames: names }
    return rows.map((row) => ({
      ...(JSON.parse(listingJson(row, events.get(row.incident_id) ?? [], options)) as ListedIncident),
      key: row.incident_key,
    }))
  }
