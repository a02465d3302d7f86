// The messages that were folded into a digest or a summary of a backlog.
import { sql } from 'kysely'
import type { Query } from '../../db/query.ts'

export interface Summed {
  readonly summary: string
  readonly name: string
  readonly incidents: number
  readonly events: number
  readonly firstAt: number
  readonly lastAt: number
}

/** The folded incidents, counted by what happened and to whom; the largest groups first. */
export async function sumFolded(db: Query, messageId: string): Promise<Summed[]> {
  const rows = await db
    .selectFrom('delivery as d')
    .innerJoin('incident_fact as i', 'i.incident_id', 'd.incident_id')
    .innerJoin('incident_state as s', 's.incident_id', 'd.incident_id')
    .where(sql<boolean>`d.state = 'folded'`)
    .where('d.folded_into', '=', messageId)
    .select((e) => [
      'i.summary',
      'i.name',
      e.fn.countAll<number>().as('incidents'),
      e.fn.sum<number>('s.events_count').as('events'),
      e.fn.min<number>('i.created_at').as('first'),
      e.fn.max<number>('i.created_at').as('last'),
    ])
    .groupBy(['i.summary', 'i.name'])
    .execute()
  return rows
    .map((row) => ({
      summary: row.summary,
      name: row.name,
      incidents: Number(row.incidents),
      events: Number(row.events),
      firstAt: Number(row.first),
      lastAt: Number(row.last),
    }))
    .sort(
      (a, b) =>
        b.incidents - a.incidents || a.summary.localeCompare(b.summary) || a.name.localeCompare(b.name),
    )
}

/** The incidents folded into these messages. */
export async function foldedIncidents(db: Query, messageId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('delivery')
    .select('incident_id')
    .where(sql<boolean>`state = 'folded'`)
    .where('folded_into', '=', messageId)
    .execute()
  return rows.map((row) => row.incident_id)
}
