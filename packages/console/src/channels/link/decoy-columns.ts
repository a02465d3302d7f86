// Which decoys of a Bird listen, and by which way its sensors notice, as columns of its row.
import type { Body } from '@rookery/link/messages.ts'
import type { BirdRow } from '../../stores/birds/store.ts'
import type { SensorReport } from '../../stores/birds/sensors.store.ts'
import { sanitizeText } from './sanitize.ts'

/** A Bird that is not registered has no settings, so nothing of it is stored. */
export function decoyColumns(
  {
    serviceCount,
    notStanding,
    sensors = [],
  }: Pick<Body<'HEARTBEAT'>, 'serviceCount' | 'notStanding' | 'sensors'>,
  isRegistered: boolean,
): Pick<BirdRow, 'service_count' | 'not_standing' | 'not_standing_count' | 'sensors'> {
  const reasons: Record<string, string> = {}
  for (const { instance, reason } of isRegistered ? notStanding : []) {
    const service = sanitizeText(instance)
    const [text, other] = [sanitizeText(reason), reasons[service]]
    reasons[service] = other === undefined ? text : `${other}; ${text}`
  }
  const not_standing_count = Object.keys(reasons).length
  return {
    service_count: serviceCount,
    not_standing: not_standing_count === 0 ? '' : JSON.stringify(reasons),
    not_standing_count,
    sensors: isRegistered && sensors.length > 0 ? JSON.stringify(sensors.map(sensorReport)) : '',
  }
}

const sensorReport = ({ instance, way, reason }: SensorReport): SensorReport => ({
  instance: sanitizeText(instance),
  way,
  reason: sanitizeText(reason),
})
