// Which decoys of a Bird listen, as columns of its row.
import type { Body } from '@rookery/link/messages.ts'
import type { BirdRow } from '../../stores/birds/store.ts'
import { sanitizeText } from './sanitize.ts'

/** A Bird that is not registered has no settings, so nothing of it is stored. */
export function decoyColumns(
  { serviceCount, notStanding }: Pick<Body<'HEARTBEAT'>, 'serviceCount' | 'notStanding'>,
  isRegistered: boolean,
): Pick<BirdRow, 'service_count' | 'not_standing' | 'not_standing_count'> {
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
  }
}
