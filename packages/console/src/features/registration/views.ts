// Pending Birds as they are shown (specification 2.7).
import { epochText } from '@rookery/kernel/time.ts'
import type { ShownBird } from '../../stores/birds/lists.store.ts'

/** In the console-wide list. */
export const pendingBird = (bird: ShownBird) => ({
  autoreg_time: epochText(bird.first_seen_at),
  current_settings: bird.settings_tag,
  description: bird.description,
  device_id: bird.node_id,
  device_id_hash: bird.device_id_hash,
  device_version: bird.version,
  id: bird.node_id,
  ip_address: bird.ip_address,
  live: bird.live === 1 ? 'True' : 'False',
  name: bird.name,
  pairing_phrase: bird.pairing_phrase,
  public_ip: bird.public_ip,
  sensor: bird.sensor,
  user: '',
})

/** In the queue of a Flock. */
export const queuedBird = (bird: ShownBird) => ({
  description: bird.description,
  device_id: bird.node_id,
  device_version: bird.version,
  name: bird.name,
  pending_since: bird.queued_at / 1000,
  sensor: bird.sensor,
})
