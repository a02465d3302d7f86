// What reaches `raise`: a touch that counts, and the facts about whom it touched.
import type { Logtype } from '@rookery/kernel/logtype.ts'
import type { Touch } from '@rookery/kernel/touch.ts'

/** The Bird or token that was touched, as its incident will show it. */
export interface Subject {
  readonly flockId: string
  /** `N/A` for tokens. */
  readonly name: string
  readonly memo: string | null
  readonly ipAddress: string
  readonly ippers: string
  readonly macAddress: string
  /** Its owner muted it: an incident, but no alert. */
  readonly muted: boolean
}

export interface Arrival {
  readonly touch: Touch
  readonly logtype: Logtype
  readonly subject: Subject
  readonly receivedAt: number
  /** It waited with its Bird for so long that it is told in a summary. */
  readonly late: boolean
  /** Names of the annotations that explain it: a scanner that is known by its network. */
  readonly annotations?: readonly string[]
}
