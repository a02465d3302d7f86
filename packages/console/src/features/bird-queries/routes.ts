// 4.7: which Birds are there, and how are they?
import { birdQueries } from '@rookery/contract/groups/bird-queries.ts'
import { FileAnswer, implement, type Route } from '@rookery/contract/implement.ts'
import type { Operation, Params } from '@rookery/contract/operation.ts'
import { required } from '@rookery/kernel/fault.ts'
import { checkTimeZone } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import { publicAddress } from '../../views/birds/network.ts'
import { birdRecord } from '../../views/birds/record.ts'
import { isDead } from '../../views/birds/state.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks } from '../../http/cursor-links.ts'
import { openIncidents } from '../../views/incidents/bird-incidents.ts'
import { maskSecrets } from '../../stores/birds/secret-settings.ts'
import { changeableSettings, settingsNotes, settingsOf } from '../../stores/birds/settings.ts'
import { listBirds, type ListedBird, type ShownBird } from '../../stores/birds/lists.store.ts'
import { findBird } from '../../stores/birds/store.ts'
import { existingFlock, flockNames } from '../../stores/flocks/store.ts'
import { birdFeed } from './feed.ts'
import { nextCursor, readPage } from './page.ts'
import { birdRows } from './rows.ts'
import { ipsByFlock, ipsText } from './ips.ts'

type BirdQueryDeps = Pick<AppContext, 'engine' | 'reader' | 'world' | 'config' | 'vault'> & {
  readonly assets: Pick<Assets, 'index'>
}

const state = 'registered' as const

export const birdQueriesRoutes = (base: BirdQueryDeps): Route<Call>[] => {
  const { engine, reader, world, config, vault, assets } = base
  const openIncidentsOf = openIncidents(base)

  const list =
    (feed: string, { path }: Operation, live?: 0 | 1, includes?: (bird: ListedBird) => boolean) =>
    (params: Params<typeof birdQueries.all>, call: Call) => {
      const page = readPage(params, path, vault)
      return birdFeed(base, call.caller.scope, {
        feed,
        page,
        nextAfter(bird) {
          const next = nextCursor(page, path, bird, vault)
          return { next, next_link: cursorLinks({ next, prev: null }, path, call).next_link ?? '' }
        },
        ...(live !== undefined && { live }),
        ...(includes && { includes }),
      })
    }

  return implement(birdQueries, {
    all: list('All Devices', birdQueries.all),
    live: list('Live Devices', birdQueries.live, 1),
    dead: list('Dead Devices', birdQueries.dead, 0, isDead),
    async filter({ filter_str = '', limit }, { caller }: Call) {
      const options = { tz: 'UTC', now: world.clock.now(), assets: await assets.index() }
      const birds = await listBirds(reader, engine.name, caller.scope, { state })
      const found = birds.filter(containing(filter_str)).slice(0, limit)
      return { devices: found.map((bird) => birdRecord(bird, options)) }
    },
    rows: (params, call: Call) => birdRows(base, params, call),
    async info({ node_id, settings, exclude_fixed_settings, tz = 'UTC' }, { caller }: Call) {
      checkTimeZone(tz)
      const bird = await findBird(reader, caller.scope, node_id)
      const found = required(bird?.state === 'registered' ? bird : undefined, 'Bird not found')
      const all = settings ? maskSecrets(settingsOf(found)) : {}
      return {
        device: {
          ...birdRecord(found, { tz, now: world.clock.now(), assets: await assets.index() }),
          note: found.note,
          ...(settings && {
            settings: exclude_fixed_settings ? changeableSettings(all) : all,
            settings_notes: settingsNotes(all),
          }),
          unacknowleged_incidents: await openIncidentsOf(node_id, tz),
        },
      }
    },
    async ips({ download, include_annotations, flock_id }, { caller }: Call) {
      if (flock_id !== undefined) {
        await existingFlock(reader, caller.scope, flock_id)
      }
      const filter = { state, ...(flock_id !== undefined && { flockId: flock_id }) }
      const birds = await listBirds(reader, engine.name, caller.scope, filter)
      const ips = ipsByFlock(birds, await config.get('flock names', flockNames))
      return download
        ? new FileAnswer('bird_ips.txt', 'text/plain; charset=utf-8', ipsText(ips, include_annotations))
        : { ips }
    },
  })
}

/** Whether a text that identifies the Bird, as its record shows it, contains this one; case does not matter. */
function containing(text: string): (bird: ShownBird) => boolean {
  const wanted = text.toLowerCase()
  return (bird) =>
    [
      bird.name,
      bird.node_id,
      bird.ip_address,
      bird.ippers,
      publicAddress(bird.public_ip),
      bird.mac_address,
      bird.description,
      bird.location,
      bird.note,
      bird.flock_id,
    ].some((value) => value.toLowerCase().includes(wanted))
}
