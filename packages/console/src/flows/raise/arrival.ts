// The input of `raise`: a touch that counts, and facts about its Bird or token.
import type { Logtype } from '@rookery/kernel/logtype.ts'
import type { Touch } from '@rookery/kernel/touch.ts'
import type { IncidentNotice } from '../../notify/queue/outbox.ts'
import { aggregationKey } from '../../stores/incidents/aggregation.ts'

/** The Bird or token that was touched, as its incident will show it. */
export interface Subject {
  readonly flockId: string
  /** `N/A` for tokens. */
  readonly name: string
  readonly memo: string | null
  readonly ipAddress: string
  readonly ippers: string
  readonly macAddress: string
  /** Raises an incident, but no alert. */
  readonly muted: boolean
}

export interface Arrival extends Pick<IncidentNotice, 'sharedAlert'> {
  readonly touch: Touch
  readonly logtype: Logtype
  readonly subject: Subject
  readonly receivedAt: number
  /** It waited with its Bird for so long that it is alerted in a summary. */
  readonly late: boolean
  /** A Bird sent it: its new incidents count against that Bird's allowance. */
  readonly sentByBird?: true
  /** Aggregation key of an incident that takes it, acknowledged or not; without it, that is by its source. */
  readonly joins?: string
  /** Names of the annotations that match it, such as a known scanner's network. */
  readonly annotations?: readonly string[]
}

/** The aggregation key of the incident that takes the touch. */
export const takingKey = ({ touch, joins }: Pick<Arrival, 'touch' | 'joins'>): string =>
  joins ?? aggregationKey(touch)
