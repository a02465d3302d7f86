// The incidents of outages and returns, and which of them are alerted. Pure.
import type { Logtype } from '@rookery/kernel/logtype.ts'
import type { LivenessBird } from '../../stores/birds/liveness.store.ts'
import type { Arrival } from '../raise/arrival.ts'
import { birdSubject } from '../raise/bird-subject.ts'

/** Birds that fell silent together. */
export interface Loss {
  readonly birds: number
  /** Birds that were live before. */
  readonly of: number
  /** Flocks of which an earlier outage of the same loss was alerted. */
  readonly notifiedFlocks: readonly string[]
}

/** A loss of at least so many Birds, and more than this share of all, is one alert. */
const MASS_BIRDS = 5
const MASS_SHARE = 0.2

const DISCONNECTED: Logtype = { logtype: '1004', summary: 'Bird Disconnected', slug: 'devicedied' }
const RECONNECTED: Logtype = { logtype: '1004', summary: 'Bird Reconnected', slug: 'devicereconnected' }

/** Whether an outage of this Bird is alerted at all. */
export const isAlerted = (bird: LivenessBird): boolean =>
  bird.ignore_disconnect === 0 && bird.ignore_general === 0

/** One incident each; a mass loss is one alert to each receiver, of the first outage that it may be notified of. */
export function disconnections(lost: readonly LivenessBird[], loss: Loss, now: number): Arrival[] {
  const isMass = loss.birds >= MASS_BIRDS && loss.birds > loss.of * MASS_SHARE
  const note = `${loss.birds} of ${loss.of} Birds fell silent at once; one alert speaks for all of them.`
  return lost.map((bird) =>
    arrival(bird, now, {
      logtype: DISCONNECTED,
      // The outage is part of the aggregation key: two outages are never merged into one incident.
      instance: `offline/${bird.last_seen_at}`,
      muted: bird.ignore_disconnect === 1,
      fields: isMass ? { NOTE: note } : {},
      ...(isMass && { sharedAlert: { notifiedFlocks: loss.notifiedFlocks } }),
    }),
  )
}

export const reconnections = (returned: readonly LivenessBird[], now: number): Arrival[] =>
  returned.map((bird) =>
    arrival(bird, now, {
      logtype: RECONNECTED,
      instance: `online/${bird.offline_since}`,
      muted: bird.ignore_reconnect === 1,
      fields: {},
    }),
  )

interface Outage extends Pick<Arrival['touch'], 'instance' | 'fields'>, Pick<Arrival, 'sharedAlert'> {
  readonly logtype: Logtype
  readonly muted: boolean
}

const arrival = (
  bird: LivenessBird,
  now: number,
  { logtype, instance, muted, fields, ...shared }: Outage,
): Arrival => ({
  ...shared,
  logtype,
  receivedAt: now,
  late: false,
  subject: { ...birdSubject(bird), muted: muted || bird.ignore_general === 1 },
  touch: {
    nodeId: bird.node_id,
    logtype: logtype.logtype,
    instance,
    at: now,
    srcHost: '',
    srcPort: -1,
    dstHost: bird.ip_address,
    dstPort: -1,
    fields,
  },
})
