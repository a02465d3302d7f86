// `incidents/timeline`: how many incidents began in each column of time, by level. Columns without incidents are there, too.
import type { incidentViews } from '@rookery/contract/groups/incident-views.ts'
import type { Answer, Params } from '@rookery/contract/operation.ts'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { countOverTime, noCounts } from '../../stores/incidents/level-counts.store.ts'
import { filterOf } from './rows.ts'

type Timeline = (typeof incidentViews)['timeline']

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const DEFAULT_MS = 30 * DAY_MS
const MAX_COLUMNS = 60
/** Widths that people think in; a longer time has columns of whole days. */
const WIDTHS_MS = [1, 5, 15, 60, 360, 1_440, 10_080].map((minutes) => minutes * MINUTE_MS)

export async function timeline(
  { engine, reader, world }: Pick<AppContext, 'engine' | 'reader' | 'world'>,
  params: Params<Timeline>,
  { caller: { scope } }: Call,
): Promise<Answer<Timeline>> {
  const asked = filterOf(params)
  if (asked.flockId !== undefined) await existingFlock(reader, scope, asked.flockId)
  const until = asked.createdBefore ?? world.clock.now() + 1
  const from = asked.createdAfter ?? until - DEFAULT_MS
  if (from >= until) throw invalidParameter('newer_than', 'must be a time before older_than')
  const widthMs =
    WIDTHS_MS.find((it) => (until - from) / it <= MAX_COLUMNS) ??
    Math.ceil((until - from) / MAX_COLUMNS / DAY_MS) * DAY_MS
  const filter = { ...asked, createdAfter: from, createdBefore: until }
  const counts = await countOverTime(engine, { scope, filter }, widthMs)
  const first = Math.floor((from + 1) / widthMs)
  const last = Math.floor((until - 1) / widthMs)
  return {
    columns: Array.from({ length: last - first + 1 }, (_, n) => ({
      at: epoch((first + n) * widthMs),
      ...(counts.get(first + n) ?? noCounts()),
    })),
    seconds: epoch(widthMs),
  }
}
