// A Bird as its incidents show it.
import type { BirdTables } from '../../stores/birds/tables.ts'
import type { Subject } from './arrival.ts'

type NamedBird = Pick<
  BirdTables['bird'],
  'flock_id' | 'name' | 'ip_address' | 'ippers' | 'mac_address' | 'ignore_general'
>

/** Muted if its alerts are. */
export const birdSubject = (bird: NamedBird): Subject => ({
  flockId: bird.flock_id,
  name: bird.name,
  memo: null,
  ipAddress: bird.ip_address,
  ippers: bird.ippers,
  macAddress: bird.mac_address,
  muted: bird.ignore_general === 1,
})
