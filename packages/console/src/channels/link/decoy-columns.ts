// Which decoys of a Bird listen and for whom, by which way its sensors notice, and what keeps its IP stack, as columns of its row.
import { MAX_IP_STACK, type Body } from '@rookery/link/messages.ts'
import type { BirdRow } from '../../stores/birds/store.ts'
import type { SensorReport } from '../../stores/birds/sensors.store.ts'
import { sanitizeText } from './sanitize.ts'

/** A Bird that is not registered has no settings, so nothing of it is stored. */
export function decoyColumns(
  {
    serviceCount,
    notStanding,
    sensors = [],
    ipStack = '',
    reach = '',
    portOffset = -1,
  }: Pick<Body<'HEARTBEAT'>, 'serviceCount' | 'notStanding' | 'sensors' | 'ipStack'> & {
    reach?: BirdRow['reach']
    portOffset?: number
  },
  isRegistered: boolean,
): Pick<
  BirdRow,
  'service_count' | 'not_standing' | 'not_standing_count' | 'sensors' | 'ip_stack' | 'reach' | 'port_offset'
> {
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
    ip_stack: isRegistered ? sanitizeText(ipStack, MAX_IP_STACK) : '',
    reach: isRegistered ? reach : '',
    port_offset: isRegistered ? portOffset : -1,
  }
}

const sensorReport = ({ instance, way, reason }: SensorReport): SensorReport => ({
  instance: sanitizeText(instance),
  way,
  reason: sanitizeText(reason),
})
