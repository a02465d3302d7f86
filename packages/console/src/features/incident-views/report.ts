// `incidents/report`: what came of the incidents of a time, how soon somebody looked, and when Birds did not watch.
import type { incidentViews } from '@rookery/contract/groups/incident-views.ts'
import type { Answer, Params } from '@rookery/contract/operation.ts'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { openOutages } from '../../stores/birds/liveness.store.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { timesToAcknowledge } from '../../stores/incidents/acknowledge-times.store.ts'
import { countByVerdict, noCounts } from '../../stores/incidents/level-counts.store.ts'
import { endedOutages, MAX_OUTAGES } from '../../stores/incidents/outages.store.ts'
import { filterOf } from './rows.ts'

type Report = (typeof incidentViews)['report']
type Gap = Answer<Report>['gaps'][number]

const VERDICTS = ['open', 'intruder', 'test', 'harmless', 'none'] as const
const MAX_GAPS = 100

export async function report(
  { engine, reader, world }: Pick<AppContext, 'engine' | 'reader' | 'world'>,
  params: Params<Report>,
  { caller: { scope } }: Call,
): Promise<Answer<Report>> {
  const filter = filterOf({ ...params, state: 'all' })
  const { flockId } = filter
  if (flockId !== undefined) await existingFlock(reader, scope, flockId)
  const from = filter.createdAfter ?? 0
  const until = Math.min(filter.createdBefore ?? Number.POSITIVE_INFINITY, world.clock.now())
  if (from >= until) throw invalidParameter('newer_than', 'must be a time before older_than, and before now')
  const of = flockId === undefined ? {} : { flockId }
  const [verdicts, times, ended, open] = await Promise.all([
    countByVerdict(engine, { scope, filter }),
    timesToAcknowledge(engine, { scope, filter }),
    endedOutages(engine, scope, { endedAfter: from, ...of }),
    openOutages(reader, scope, flockId),
  ])
  const gapOf = (outage: (typeof ended)[number], is_open: boolean): Gap => ({
    node_id: outage.node_id,
    name: outage.name,
    flock_id: outage.flock_id,
    from: epoch(Math.max(outage.from, from)),
    to: epoch(Math.min(outage.to, until)),
    is_open,
  })
  const gaps = [
    ...ended.map((it) => gapOf(it, false)),
    ...open.map((it) => gapOf({ ...it, from: it.offline_since ?? 0, to: until }, true)),
  ]
    .filter((gap) => gap.from < gap.to)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
  return {
    verdicts: VERDICTS.map((verdict) => ({ verdict, ...(verdicts.get(verdict) ?? noCounts()) })),
    acknowledged: {
      count: times.count,
      median_seconds: times.medianS ?? null,
      p95_seconds: times.p95S ?? null,
    },
    gaps: gaps.slice(0, MAX_GAPS),
    gaps_total: Math.min(gaps.length, MAX_OUTAGES),
  }
}
