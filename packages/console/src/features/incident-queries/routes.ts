// 4.5: lists, search, history of a source, one incident.
import { incidentQueries } from '@rookery/contract/groups/incident-queries.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { Fault, required } from '@rookery/kernel/fault.ts'
import { checkTimeZone } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import { channelsOfIncidents } from '../../notify/chat-channels.ts'
import { birdRecords } from '../../views/birds/records.ts'
import { loader } from '../../db/loader.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import type { Call } from '../../http/call.ts'
import { extendedIncident, fetchedIncident } from '../../views/incidents/fetch.ts'
import { newestOf } from '../../views/incidents/events.ts'
import { incidentNames } from '../../secrets/incident-name.ts'
import { openIncidentTextCache } from '../../views/incidents/incident-text-cache.ts'
import { commentsOf } from '../../stores/comments/store.ts'
import { flockNames } from '../../stores/flocks/store.ts'
import { eventsOf, incidentNumber, incidentsById, isShown } from '../../stores/incidents/one.store.ts'
import { openPreviouslySeen } from '../../stores/incidents/sources.store.ts'
import { feedAnswer, openReadPage } from './feed.ts'
import { history } from './history.ts'
import { readListRequest } from './list-request.ts'
import { search } from './search.ts'
import { openTotalsCache } from '../../views/incidents/totals-cache.ts'

interface IncidentQueryDeps extends Pick<AppContext, 'engine' | 'reader' | 'vault' | 'world' | 'config'> {
  readonly assets: Pick<Assets, 'index'>
}

export const incidentQueriesRoutes = (base: IncidentQueryDeps): Route<Call>[] => {
  const { reader, engine, vault, world, config, assets } = base
  const previouslySeen = openPreviouslySeen(engine)
  const recordsOf = birdRecords(base)
  const searching = {
    ...base,
    birdRecords: recordsOf,
    totalsCache: openTotalsCache(world.clock),
    previouslySeen,
  }
  const rendered = openIncidentTextCache()
  const readPage = openReadPage(base)
  const names = incidentNames(vault)
  const rowOf = loader((ids: readonly number[]) => incidentsById(reader, engine.name, ids))
  const eventsOfOne = loader((ids: readonly number[]) => eventsOf(reader, engine.name, ids))

  const list =
    (feed: string, path: string, acknowledged?: 0 | 1) =>
    (params: Params<(typeof incidentQueries)['all']>, call: Call) =>
      Promise.resolve(
        feedAnswer(
          { ...base, rendered, readPage },
          readListRequest(params, path, acknowledged, vault),
          { feed, path },
          call,
        ),
      )

  return implement(incidentQueries, {
    all: list('All Incidents', '/incidents/all'),
    acknowledged: list('Acknowledged Incidents', '/incidents/acknowledged', 1),
    unacknowledged: list('Unacknowledged Incidents', '/incidents/unacknowledged', 0),
    search: (params, call: Call) => search(searching, params, call),
    sourceHistory: history(base),
    async fetch({ incident, hash_id, extended_details, event_limit, tz = 'UTC' }, { caller }: Call) {
      checkTimeZone(tz)
      if (incident === undefined && hash_id === undefined) {
        throw new Fault('bad-input', 'One of the parameters incident and hash_id is required.', {
          details: { incident: 'is required, unless hash_id is given' },
        })
      }
      const by = incident === undefined ? { hashId: hash_id ?? '' } : { key: incident }
      const number = incidentNumber(names, by)
      const [found, stored = []] =
        number === undefined ? [] : await Promise.all([rowOf(number), eventsOfOne(number)])
      const events = newestOf(stored, event_limit)
      const row = required(
        found && isShown(found, caller.scope, by) ? found : undefined,
        'Incident not found',
      )
      const asset = (await assets.index()).at(row.src_host)
      if (!extended_details) return { incident: fetchedIncident(row, events, tz, asset) }
      const [flocks, hosts, seen, channels, comments] = await Promise.all([
        config.get('flock names', flockNames),
        recordsOf([row.node_id], caller.scope),
        previouslySeen.of([row]),
        channelsOfIncidents(reader, vault, [row.incident_id]),
        commentsOf(reader, row.incident_id),
      ])
      return {
        incident: extendedIncident(row, events, {
          tz,
          asset,
          now: world.clock.now(),
          flockName: flocks.get(row.flock_id) ?? '',
          host: (hosts.get(row.node_id) ?? {}) as Record<string, unknown>,
          previouslySeen: seen.get(row.incident_id) ?? 0,
          chatChannel: channels.get(row.incident_id) ?? '',
          comments,
        }),
      }
    },
  })
}
