// How many incidents began when, by level: of the last days, or of the time that a report is about.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { DAYS, type Days } from '../../links.ts'
import { now } from '../../world.ts'
import css from './overview.module.css'
import { LevelPlot, totalOf } from './plot.tsx'
import { houseWords } from './words.ts'

const { overview: said, range } = houseWords

/** A time, as addresses say it. */
export interface Span {
  readonly from: string
  readonly to: string
}

interface TimelinePartProps {
  readonly time: Days | Span
  /** Of one source alone. */
  readonly source?: string
  /** Where somebody may choose other days. */
  readonly hasRanges?: boolean
}

export function TimelinePart({ time, source, hasRanges = false }: TimelinePartProps) {
  const navigate = useNavigate()
  const of = source === undefined ? {} : { source }
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['incidentViews', 'timeline', time, source],
    queryFn: ({ signal }) =>
      call('incidentViews', 'timeline', { state: 'all', ...of, ...boundsOf(time) }, signal),
    refetchInterval: 60_000,
  })
  const title = data ? said.sum(totalOf(data)) : said.time
  return (
    <section className={css['part']}>
      <h2>{title}</h2>
      {hasRanges && (
        <span role="group" aria-label={houseWords.audit.time} className={css['ranges']}>
          {DAYS.map((it) => (
            <Button
              key={it}
              look="quiet"
              aria-pressed={it === time}
              onClick={() => void navigate({ to: '/overview', search: { days: it }, replace: true })}
            >
              {range[it]}
            </Button>
          ))}
        </span>
      )}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading rows={3} />}
      {data && <LevelPlot timeline={data} title={title} filter={of} />}
    </section>
  )
}

/** The first second of a time belongs to it. */
const boundsOf = (time: Days | Span) =>
  typeof time === 'string'
    ? { newer_than: String(Math.floor(now() / 1_000) - Number(time) * 86_400) }
    : { newer_than: time.from, older_than: time.to }
