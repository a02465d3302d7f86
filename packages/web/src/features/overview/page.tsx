// One glance: is all watched, and is all quiet?
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { LevelMark, LEVELS } from '../../kit/level-mark.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { count } from '../../words/en.ts'
import { now } from '../../world.ts'
import { useSlowBell } from '../birds/use-slow-bell.ts'
import { Health, sum, type Flocks } from './health.tsx'
import css from './overview.module.css'
import { lastMonth, ReportPart, ReportTime } from './report.tsx'
import { TimelinePart } from './timeline.tsx'
import { houseWords } from './words.ts'

const { overview: said } = houseWords

export function OverviewPage() {
  const { days = '30', from, to } = useSearch({ from: '/shell/overview' })
  const span = from === undefined || to === undefined ? undefined : { from, to }
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['flockSummaries', 'all', 'by level'],
    queryFn: ({ signal }) => call('flockSummaries', 'all', { open_by_level: true }, signal),
  })
  useSlowBell(() => void refetch())
  const flocks = data?.flocks_summary ?? {}
  return (
    <div className={css['page']}>
      <PageHeading title={span ? houseWords.report.title : said.title} />
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading rows={3} />}
      {data && (
        <ErrorBoundary>
          <State flocks={flocks} />
        </ErrorBoundary>
      )}
      {!span && (
        <p className={css['screen']}>
          <Link to="/overview" search={lastMonth(now())}>
            {said.report}
          </Link>
        </p>
      )}
      {span && <ReportTime span={span} />}
      <ErrorBoundary>
        <TimelinePart time={span ?? days} hasRanges={!span} />
      </ErrorBoundary>
      <ErrorBoundary key={from}>
        {span ? <ReportPart span={span} /> : <Health flocks={flocks} />}
      </ErrorBoundary>
      <section className={css['part']}>
        <h2>{said.flocks}</h2>
        <ul className={css['cards']}>
          {Object.entries(flocks).map(([id, flock]) => (
            <li key={id} className={css['card']}>
              <ErrorBoundary>
                <FlockCard id={id} flock={flock} />
              </ErrorBoundary>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

function State({ flocks }: { readonly flocks: Flocks }) {
  const open = sum(flocks, ({ open_by_level: it }) => (it?.used ?? 0) + (it?.tried ?? 0))
  return (
    <p>
      <strong>{open === 0 ? said.quiet : said.busy(open)}</strong>{' '}
      {said.watching(
        sum(flocks, (it) => it.live),
        sum(flocks, (it) => it.birds),
        sum(flocks, (it) => it.tokens),
      )}
    </p>
  )
}

function FlockCard({ id, flock }: { readonly id: string; readonly flock: Flocks[string] }) {
  const { name, live, birds, tokens, open_by_level: levels } = flock
  return (
    <>
      <Link to="/flocks/$id" params={{ id }}>
        <Evidence text={name} />
      </Link>
      <span className={css['quiet']}>
        {said.birds(live, birds)} · {said.tokens(tokens)}
      </span>
      <span className={css['levels']}>
        {levels &&
          LEVELS.map(
            (level) =>
              levels[level] > 0 && (
                <Link key={level} to="/incidents" search={{ flock: id, level }}>
                  <LevelMark level={level} hasWord /> {count(levels[level])}
                </Link>
              ),
          )}
        {levels && LEVELS.every((level) => levels[level] === 0) && said.noneOpen}
      </span>
    </>
  )
}
