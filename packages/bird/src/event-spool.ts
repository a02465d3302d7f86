// The Bird's spool: which events it holds, and which of them a full one drops first.
import { join } from 'node:path'
import { bounded } from '@rookery/kernel/bound.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { openSpool, type Spool, type SpoolOptions } from '@rookery/spool/spool.ts'
import { eventJson, type NewEvent } from './new-event.ts'

export type EventSpool = Spool<NewEvent>

export const SPOOL_FOLDER = 'spool'

/** The spool of a Bird; a full one drops events that repeat others first, then the oldest. */
const SPOOL_BYTES = limit('bird_spool_bytes', 256 * 1024 * 1024)
/** Events that wait in memory while the disk of a Bird is full. */
const UNWRITTEN_EVENTS = limit('bird_spool_events_unwritten', 10_000)

/** Opens the spool of the data directory. */
export function openEventSpool(
  directory: string,
  options: Pick<SpoolOptions<NewEvent>, 'clock' | 'random' | 'report' | 'onOverflow' | 'onWritten'>,
): EventSpool {
  return openSpool<NewEvent>({
    ...options,
    folder: join(directory, SPOOL_FOLDER),
    capacity: SPOOL_BYTES,
    unwritten: UNWRITTEN_EVENTS,
    repetitions: () => isPortScan,
    toJson: eventJson(),
    shorten: (event) => ({ ...event, fields: bounded(event.fields) }),
  })
}

const LOGTYPE = '"logtype":"'

/** Port scans, 5001 to 5012: a later event of the same scan repeats the earlier one. The logtype comes before the fields, which the intruder writes. */
export function isPortScan(json: string): boolean {
  const start = json.indexOf(LOGTYPE) + LOGTYPE.length
  const logtype = Number(json.slice(start, json.indexOf('"', start)))
  return logtype >= 5001 && logtype <= 5012 && logtype !== 5010
}
