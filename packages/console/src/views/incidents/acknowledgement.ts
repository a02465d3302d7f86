// Who acknowledged an incident, and when: in every form of an incident, once it is acknowledged.
import { epochText } from '@rookery/kernel/time.ts'
import type { IncidentRow } from '../../stores/incidents/filter.store.ts'

type Acknowledged = Pick<
  IncidentRow,
  'acknowledged' | 'acknowledged_by' | 'acknowledged_at' | 'acknowledged_name'
>

/** Nothing for an incident that is not acknowledged, or that an older release acknowledged. */
export const acknowledgement = (row: Acknowledged) =>
  row.acknowledged === 1 &&
  row.acknowledged_by !== null &&
  row.acknowledged_at !== null && {
    acknowledged_at: epochText(row.acknowledged_at),
    acknowledged_by: row.acknowledged_name
      ? `${row.acknowledged_name} (${row.acknowledged_by})`
      : row.acknowledged_by,
  }
