// Writes new incidents, reverse names and notifications; state.store.ts changes states.
import { hash } from 'node:crypto'
import { inList } from '../../db/in-list.ts'
import type { Tx } from '../../db/query.ts'
import { fold } from '../../db/text.ts'
import type { IncidentRow } from './filter.store.ts'

/** Columns that a new row may omit. */
type Optional =
  | 'src_host_reverse'
  | 'acknowledged'
  | 'acknowledged_by'
  | 'acknowledged_at'
  | 'acknowledged_name'
  | 'notified'
  | 'deleted_at'
  | 'annotations'

export type InsertedIncident = Omit<IncidentRow, Optional> & Partial<Pick<IncidentRow, Optional>>

export async function insertIncidents(tx: Tx, rows: readonly InsertedIncident[]): Promise<void> {
  const texts = textsOf(rows)
  const states = rows.map((row, at) => ({ text_id: texts[at]?.text_id ?? 0, ...stateOf(row) }))
  const distinct = [...new Map(texts.map((text) => [text.text_id, text])).values()]
  await tx.insertMany('search_text', distinct, { key: ['text_id'], then: 'skip' })
  await tx.insertMany('incident_fact', rows.map(factOf))
  await tx.insertMany('incident_state', states)
}

/** Separates the texts of one row; a search text with this character matches nothing. */
export const UNIT_SEPARATOR = '\u001f'

/** 52 bits, exact in a number. A million different rows collide with a probability of 0.0001. */
const ID_HEX_DIGITS = 13

/** In the order of the rows. Those that come together are often of one token or Bird: the same texts are folded once. */
function textsOf(rows: readonly InsertedIncident[]) {
  let last: { readonly row: InsertedIncident; readonly text: ReturnType<typeof textOf> } | undefined
  return rows.map((row) => {
    if (last === undefined || !haveSameTexts(row, last.row)) last = { row, text: textOf(row) }
    return last.text
  })
}

const haveSameTexts = (a: InsertedIncident, b: InsertedIncident): boolean =>
  a.node_id === b.node_id &&
  a.logtype === b.logtype &&
  a.summary === b.summary &&
  a.name === b.name &&
  a.memo === b.memo &&
  a.dst_host === b.dst_host

/** The id is a hash of the content: a write needs no look-up first. */
function textOf({ logtype, node_id, summary, name, memo, dst_host }: InsertedIncident) {
  const text = [summary, node_id, memo ?? name, dst_host].map(fold).join(UNIT_SEPARATOR)
  const digest = hash('sha256', JSON.stringify([logtype, node_id, text]))
  return { text_id: parseInt(digest.slice(0, ID_HEX_DIGITS), 16), logtype, node_id, text }
}

const factOf = (row: InsertedIncident) => ({
  incident_id: row.incident_id,
  incident_key: row.incident_key,
  hash_id: row.hash_id,
  logtype: row.logtype,
  summary: row.summary,
  node_id: row.node_id,
  name: row.name,
  memo: row.memo,
  src_port: row.src_port,
  dst_host: row.dst_host,
  dst_port: row.dst_port,
  ip_address: row.ip_address,
  ippers: row.ippers,
  mac_address: row.mac_address,
  created_at: row.created_at,
  agg_key: row.agg_key,
  annotations: row.annotations ?? '',
})

const stateOf = (row: InsertedIncident) => ({
  incident_id: row.incident_id,
  flock_id: row.flock_id,
  src_host: row.src_host,
  created_at: row.created_at,
  updated_at: row.updated_at,
  updated_id: row.updated_id,
  last_at: row.last_at,
  events_count: row.events_count,
  acknowledged: row.acknowledged ?? 0,
  notified: row.notified ?? 0,
  deleted_at: row.deleted_at ?? null,
  src_host_reverse: row.src_host_reverse ?? '',
})

/** Writes the source's reverse name; the incident changed, so pollers see it again. */
export async function writeReverseName(tx: Tx, incidentId: number, name: string, now: number): Promise<void> {
  const updatedId = await tx.updatedIds(1)
  await tx.query
    .updateTable('incident_state')
    .set({ src_host_reverse: name, updated_id: updatedId, updated_at: now })
    .where('incident_id', '=', incidentId)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Marks incidents whose first notification was handed to a receiver; `updated_id` stays. */
export async function markNotified(tx: Tx, incidentIds: readonly number[]): Promise<void> {
  if (incidentIds.length === 0) return
  await tx.query
    .updateTable('incident_state')
    .set({ notified: 1 })
    .where(inList(tx.engine, 'incident_id', incidentIds))
    .where('notified', '=', 0)
    .execute()
}
