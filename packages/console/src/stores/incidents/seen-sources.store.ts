// Which sources were seen of late, for those who share or block them. A long read over every incident, within its time limit.
import { sql, type RawBuilder } from 'kysely'
import type { Engine } from '../../db/engine.ts'
import type { Query, Scope } from '../../db/query.ts'
import { withinTime } from '../../db/time-limit.ts'
import { nonEmpty, stateConditions } from './filter.store.ts'
import { openReading } from './search.store.ts'

export interface SeenSource {
  readonly src_host: string
  /** Its reverse name; empty for none. */
  readonly name: string
  /** When its first incident began, and when it last touched anything; milliseconds. */
  readonly first_at: number
  readonly last_at: number
  readonly incidents: number
}

export interface SeenFilter {
  readonly scope: Scope
  readonly flockId?: string | undefined
  readonly logtypes: readonly string[]
  /** Last seen after this. */
  readonly after: number
}

/** The newest `most`. Incidents that were deleted, or turned out to be harmless or a test, do not count. */
export async function seenSources(engine: Engine, filter: SeenFilter, most: number): Promise<SeenSource[]> {
  const { reader, name } = engine
  const own = incidents(reader, engine, filter)
    .select(['src_host', 'src_host_reverse', 'created_at', 'last_at'])
    .where(withinTime(name, 'incident_id'))
  const shared = reader
    .selectFrom('incident_source as other')
    .innerJoin(
      incidents(reader, engine, filter).select(['incident_id', 'created_at', 'last_at']).as('of'),
      'of.incident_id',
      'other.incident_id',
    )
    .select(['other.src_host', sql<string>`''`.as('src_host_reverse'), 'of.created_at', 'of.last_at'])
  const query = reader
    .with('seen', () => own.unionAll(shared))
    .selectFrom('seen')
    .select(({ fn }) => [
      'src_host',
      fn.max<string>('src_host_reverse').as('name'),
      fn.min<number>('created_at').as('first_at'),
      fn.max<number>('last_at').as('last_at'),
      fn.countAll<number>().as('incidents'),
    ])
    .groupBy('src_host')
    .having((it) => it.fn.max('last_at'), '>', filter.after)
    .orderBy('last_at', 'desc')
    .limit(most)
  const rows = await openReading(engine)(query.compile())
  return rows.map((row) => ({
    ...row,
    first_at: Number(row.first_at),
    last_at: Number(row.last_at),
    incidents: Number(row.incidents),
  }))
}

const incidents = (reader: Query, { name }: Pick<Engine, 'name'>, { scope, flockId, logtypes }: SeenFilter) =>
  reader
    .selectFrom('incident_state')
    .where((e) =>
      e.and(
        stateConditions(scope, flockId === undefined ? {} : { flockId }, name === 'sqlite' ? 'table' : 'any'),
      ),
    )
    .where('text_id', 'in', (e) =>
      e.selectFrom('search_text').select('text_id').where('logtype', 'in', nonEmpty(logtypes)),
    )
    .where('incident_id', 'not in', saidHarmless())

/** What was said last counts. */
const saidHarmless = (): RawBuilder<number> => sql<number>`(
  SELECT said.incident_id FROM incident_comment AS said WHERE said.verdict IN ('test', 'harmless') AND NOT EXISTS (
    SELECT 1 FROM incident_comment AS later
    WHERE later.incident_id = said.incident_id AND later.at > said.at AND later.verdict = 'intruder'))`
