// What the console itself has to say, as the touch of an incident.
import { bounded } from '@rookery/kernel/bound.ts'
import { DEFAULT_FLOCK } from '@rookery/kernel/ids.ts'
import type { Touch } from '@rookery/kernel/touch.ts'
import { logtypeOf } from '../../logtypes.ts'
import type { Arrival } from './arrival.ts'

/** `instance` is the part of the console that says it. */
export const consoleArrival = (
  { fields, ...said }: Pick<Touch, 'logtype' | 'instance' | 'srcHost' | 'fields'>,
  now: number,
): Arrival => ({
  logtype: logtypeOf(said.logtype),
  receivedAt: now,
  late: false,
  subject: {
    flockId: DEFAULT_FLOCK,
    name: 'console',
    memo: null,
    ipAddress: '',
    ippers: '',
    macAddress: '',
    muted: false,
  },
  touch: {
    ...said,
    nodeId: 'console',
    at: now,
    srcPort: -1,
    dstHost: '',
    dstPort: -1,
    fields: bounded(fields),
  },
})
