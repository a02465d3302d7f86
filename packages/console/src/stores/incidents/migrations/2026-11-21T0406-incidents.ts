import type { Migration } from '../../../db/migration.ts'

// What is read as `incident`; `from` is walked, and the other joined to each of its rows.
const view = (name: string, from: 'fact' | 'state') => {
  const other = from === 'fact' ? 'state' : 'fact'
  // An outer join, though both tables have every incident: planners leave one out whose columns nobody asks for, and never
  // begin with it.
  return `CREATE VIEW ${name} AS
    SELECT ${from}.incident_id, incident_key, hash_id, logtype, summary, node_id, flock_id, name, memo, src_host,
      src_host_reverse, src_port, dst_host, dst_port, ip_address, ippers, mac_address, ${from}.created_at, updated_at,
      updated_id, events_count, acknowledged, notified, deleted_at, last_at, agg_key, annotations
    FROM incident_${from} AS ${from} LEFT JOIN incident_${other} AS ${other} ON ${other}.incident_id = ${from}.incident_id`
}

export const migration: Migration = ({ int, text, keyed }) => [
  `CREATE TABLE incident_fact (
     incident_id ${int} PRIMARY KEY,
     incident_key ${text} NOT NULL,
     hash_id TEXT NOT NULL,
     logtype TEXT NOT NULL,
     summary TEXT NOT NULL,
     node_id TEXT NOT NULL,
     name TEXT NOT NULL,
     memo TEXT,
     src_port ${int} NOT NULL,
     dst_host TEXT NOT NULL,
     dst_port ${int} NOT NULL,
     ip_address TEXT NOT NULL,
     ippers TEXT NOT NULL,
     mac_address TEXT NOT NULL,
     created_at ${int} NOT NULL,
     agg_key ${text} NOT NULL,
     annotations TEXT NOT NULL DEFAULT ''
   )`,
  // Of Birds and the console's own: tokens are so many that each new incident would write a page of its own (decision 0021).
  `CREATE INDEX incident_by_node ON incident_fact (node_id, created_at, incident_id) WHERE memo IS NULL`,
  // Two questions in one index, for each costs every touch a page: which incident takes the next touch, what a source did.
  `CREATE INDEX incident_by_key ON incident_fact (agg_key, incident_id)`,
  // Short rows: a change of many incidents writes a third of the pages (decision 0020), and a search reads all of them
  // (decision 0021). Columns of one width come first: PostgreSQL finds these without reading those before them.
  `CREATE TABLE incident_state (
     incident_id ${int} PRIMARY KEY,
     text_id ${int} NOT NULL,
     acknowledged ${int} NOT NULL DEFAULT 0,
     created_at ${int} NOT NULL,
     updated_at ${int} NOT NULL,
     updated_id ${int} NOT NULL,
     last_at ${int} NOT NULL,
     events_count ${int} NOT NULL,
     notified ${int} NOT NULL DEFAULT 0,
     src_host ${text} NOT NULL,
     src_host_reverse ${text} NOT NULL DEFAULT '',
     flock_id TEXT NOT NULL,
     deleted_at ${int}
   )`,
  `CREATE TABLE search_text (
     text_id ${int} PRIMARY KEY,
     logtype TEXT NOT NULL,
     node_id TEXT NOT NULL,
     text ${text} NOT NULL
   )`,
  // Lists: oldest first in a state, of all Flocks or of one, ties by number; polls: by updated_id. Planners take the first
  // index for lists of one Flock, too, and then read past all others: only a query that says what is true of every number
  // may use it.
  `CREATE INDEX incident_by_state ON incident_state (acknowledged, created_at, incident_id) WHERE deleted_at IS NULL AND incident_id > 0`,
  `CREATE INDEX incident_by_flock ON incident_state (flock_id, acknowledged, created_at, incident_id) WHERE deleted_at IS NULL`,
  `CREATE INDEX incident_by_update ON incident_state (updated_id) WHERE deleted_at IS NULL`,
  `CREATE INDEX incident_by_deletion ON incident_state (updated_id) WHERE deleted_at IS NOT NULL`,
  view('incident', 'state'),
  // The same for lists of one node, which an index of the facts has in order.
  view('incident_of_node', 'fact'),
  `CREATE TABLE incident_event (
     incident_id ${int} NOT NULL,
     slot ${int} NOT NULL,
     nth ${int} NOT NULL,
     at ${int} NOT NULL,
     received_at ${int} NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (incident_id, slot)
   )`,
  `CREATE TABLE incident_source (
     incident_id ${int} NOT NULL,
     nth ${int} NOT NULL,
     src_host ${text} NOT NULL,
     PRIMARY KEY (incident_id, nth)
   ) ${keyed}`,
  `CREATE UNIQUE INDEX incident_source_by_host ON incident_source (src_host, incident_id)`,
  `CREATE TABLE incident_count (
     flock_id TEXT NOT NULL,
     acknowledged ${int} NOT NULL,
     n ${int} NOT NULL,
     PRIMARY KEY (flock_id, acknowledged)
   ) ${keyed}`,
]
