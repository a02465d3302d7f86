import type { Migration } from '../../../db/migration.ts'

// As `incident` and `incident_of_node` of the first migration, and who acknowledged it.
const view = (name: string, from: 'fact' | 'state') => {
  const other = from === 'fact' ? 'state' : 'fact'
  return `CREATE VIEW ${name} AS
    SELECT ${from}.incident_id, incident_key, hash_id, logtype, summary, node_id, flock_id, fact.name, memo,
      src_host, src_host_reverse, src_port, dst_host, dst_port, ip_address, ippers, mac_address, ${from}.created_at,
      updated_at, updated_id, events_count, acknowledged, notified, deleted_at, last_at, agg_key, annotations,
      acknowledged_by, acknowledged_at, actor.name AS acknowledged_name
    FROM incident_${from} AS ${from} LEFT JOIN incident_${other} AS ${other} ON ${other}.incident_id = ${from}.incident_id
      LEFT JOIN actor ON actor_id = acknowledged_by`
}

export const migration: Migration = ({ int }) => [
  `ALTER TABLE incident_state ADD COLUMN acknowledged_by TEXT`,
  `ALTER TABLE incident_state ADD COLUMN acknowledged_at ${int}`,
  `DROP VIEW incident`,
  `DROP VIEW incident_of_node`,
  view('incident', 'state'),
  view('incident_of_node', 'fact'),
]
