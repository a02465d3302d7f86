// `devices/rows`: pages by key, an exact total, and what is open at each Bird.
import type { birdQueries } from '@rookery/contract/groups/bird-queries.ts'
import type { Answer, Params } from '@rookery/contract/operation.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks } from '../../http/cursor-links.ts'
import { logtypeOf } from '../../logtypes.ts'
import { readCursor, signCursor } from '../../secrets/cursor.ts'
import type { BirdPosition } from '../../stores/birds/lists.store.ts'
import { birdRowPage, countBirdRows, openByLogtype, type RowFilter } from '../../stores/birds/rows.store.ts'
import { existingFlock, flockNames } from '../../stores/flocks/store.ts'
import { settingsFailure } from '../../views/birds/settings-failure.ts'
import { isGhost } from '../../views/birds/state.ts'

type Rows = (typeof birdQueries)['rows']
type Row = Answer<Rows>['rows'][number]

/** A cursor carries the whole request. */
interface RowsPage {
  readonly filter: RowFilter
  readonly limit: number
  readonly after?: BirdPosition
}

const LIST = '/devices/rows'
const PAGE = 100
/** So that a row stays below 1.5 KB. */
const REASON_CHARACTERS = 120

export async function birdRows(
  { engine, reader, vault, config }: Pick<AppContext, 'engine' | 'reader' | 'vault' | 'config'>,
  params: Params<Rows>,
  call: Call,
): Promise<Answer<Rows>> {
  const { scope } = call.caller
  const page =
    params.cursor === undefined ? pageOf(params) : (readCursor(vault, LIST, params.cursor) as RowsPage)
  const { filter, limit, after } = page
  if (filter.flockId !== undefined) await existingFlock(reader, scope, filter.flockId)
  const [found, total] = await Promise.all([
    birdRowPage(reader, engine.name, scope, filter, { after, most: limit + 1 }),
    countBirdRows(reader, engine.name, scope, filter),
  ])
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  const next =
    last === undefined
      ? null
      : signCursor(vault, LIST, {
          ...page,
          after: { first_seen_at: last.first_seen_at, node_id: last.node_id },
        } satisfies RowsPage)
  const open = openCounts(
    await openByLogtype(
      reader,
      engine.name,
      shown.map(({ node_id }) => node_id),
    ),
  )
  const names = await config.get('flock names', flockNames)
  return {
    rows: shown.map((bird) => ({
      node_id: bird.node_id,
      name: bird.name,
      flock_id: bird.flock_id,
      flock_name: names.get(bird.flock_id) ?? '',
      state: bird.live === 1 ? 'live' : isGhost(bird) ? 'never_seen' : 'offline',
      ip_address: bird.ip_address,
      ippers: bird.ippers,
      version: bird.version,
      services: bird.service_count,
      settings_failure: settingsFailure(bird).slice(0, REASON_CHARACTERS).toWellFormed(),
      is_muted: bird.ignore_general === 1,
      open: open.get(bird.node_id) ?? NONE,
      last_heartbeat: epoch(bird.last_seen_at),
    })),
    total,
    cursor: cursorLinks({ next, prev: null }, LIST, call),
  }
}

const NONE: Row['open'] = { used: 0, tried: 0, looked: 0, house: 0 }

/** By Bird and level; what this release does not know counts as a look. */
function openCounts(counted: Awaited<ReturnType<typeof openByLogtype>>): Map<string, Row['open']> {
  const byBird = new Map<string, Row['open']>()
  for (const { node_id, logtype, n } of counted) {
    const level = logtypeOf(logtype).level ?? 'looked'
    const before = byBird.get(node_id) ?? NONE
    byBird.set(node_id, { ...before, [level]: before[level] + n })
  }
  return byBird
}

const pageOf = ({ filter_str, state, flock_id, limit = PAGE }: Params<Rows>): RowsPage => ({
  filter: {
    ...(filter_str !== undefined && filter_str !== '' && { text: filter_str }),
    ...(state !== undefined && { state }),
    ...(flock_id !== undefined && { flockId: flock_id }),
  },
  limit,
})
