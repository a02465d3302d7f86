// Lists of Birds as the API shows them.
import { inList } from '../../db/in-list.ts'
import type { EngineName, Query, Scope } from '../../db/query.ts'
import type { BirdRow } from './store.ts'
import type { BirdState } from './tables.ts'

/** The columns of the list form: of ten thousand Birds, every column counts. */
const LISTED_COLUMNS = [
  'node_id',
  'name',
  'description',
  'location',
  'note',
  'version',
  'ip_address',
  'ippers',
  'netmask',
  'sensor',
  'mac_address',
  'public_ip',
  'environment',
  'first_seen_at',
  'registered_at',
  'last_seen_at',
  'updated_at',
  'live',
  'booted_at',
  'settings_failure',
  'not_standing',
  'reach',
  'ignore_general',
  'ignore_disconnect',
  'ignore_reconnect',
] as const satisfies readonly (keyof BirdRow)[]

export type ListedBird = Pick<BirdRow, (typeof LISTED_COLUMNS)[number]>

/** The columns of the detailed form: everything but the settings, which are long. */
export const SHOWN_COLUMNS = [
  ...LISTED_COLUMNS,
  'device_id_hash',
  'state',
  'flock_id',
  'pairing_phrase',
  'queued_at',
  'reconnect_count',
  'service_count',
  'last_dns_settings_at',
  'was_rollback',
  'settings_tag',
] as const satisfies readonly (keyof BirdRow)[]

export type ShownBird = Pick<BirdRow, (typeof SHOWN_COLUMNS)[number]>

/** SQLite reads a page in one turn of the event loop, so its pages are small. */
const PAGE_SIZE: Readonly<Record<EngineName, number>> = { sqlite: 500, postgres: 2_500 }

export interface BirdFilter {
  readonly state: BirdState
  readonly flockId?: string
  readonly nodeIds?: readonly string[]
  readonly live?: 0 | 1
}

/** Birds of the scope that match, in the order in which they were first seen. */
export const listBirds = (
  db: Query,
  engine: EngineName,
  scope: Scope,
  filter: BirdFilter,
): Promise<ShownBird[]> => selectBirds(db, engine, scope, filter).select(SHOWN_COLUMNS).execute()

/** A list goes on behind this Bird. */
export type BirdPosition = Pick<BirdRow, 'first_seen_at' | 'node_id'>

const START: BirdPosition = { first_seen_at: Number.MIN_SAFE_INTEGER, node_id: '' }

/** The same page by page, so that a long list does not block other requests; behind `after`, at most `most` at once. */
export async function* birdPages(
  db: Query,
  engine: EngineName,
  scope: Scope,
  filter: BirdFilter,
  { after = START, most = Infinity }: { readonly after?: BirdPosition; readonly most?: number } = {},
): AsyncGenerator<readonly ListedBird[]> {
  const size = Math.min(PAGE_SIZE[engine], most)
  let last: BirdPosition | undefined = after
  do {
    const { first_seen_at, node_id }: BirdPosition = last
    const rows = await selectBirds(db, engine, scope, filter)
      .select(LISTED_COLUMNS)
      .where((e) => e(e.refTuple('first_seen_at', 'node_id'), '>', e.tuple(first_seen_at, node_id)))
      .limit(size)
      .execute()
    yield rows
    last = rows.length === size ? rows.at(-1) : undefined
  } while (last)
}

function selectBirds(
  db: Query,
  engine: EngineName,
  scope: Scope,
  { state, flockId, nodeIds, live }: BirdFilter,
) {
  let q = db.selectFrom('bird').where('state', '=', state)
  if (scope !== 'all') q = q.where('flock_id', 'in', scope.length > 0 ? [...scope] : [''])
  if (flockId !== undefined) q = q.where('flock_id', '=', flockId)
  if (nodeIds !== undefined) q = q.where(inList(engine, 'node_id', nodeIds))
  if (live !== undefined) q = q.where('live', '=', live)
  return q.orderBy('first_seen_at').orderBy('node_id')
}
