// One Bird: overview, services, files, incidents.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { Problem } from '../../problem.ts'
import { words } from '../../words/en.ts'
import { useSlowBell } from '../birds/use-slow-bell.ts'
import { birdWords } from '../birds/words.ts'
import css from './bird.module.css'
import { Files } from './files.tsx'
import { Incidents } from './incidents.tsx'
import { Overview } from './overview.tsx'
import { birdQuery } from './queries.ts'
import { Services } from './services.tsx'

const TABS = ['overview', 'services', 'files', 'incidents'] as const
const { one } = birdWords

export function BirdPage() {
  const params = useParams({ strict: false })
  const id = params.id ?? ''
  const tab = TABS.find((it) => it === params.tab) ?? 'overview'
  const { data, error, isPending, refetch } = useQuery(birdQuery(id))
  useSlowBell(() => void refetch())
  if (isPending) return <Loading />
  if (!data)
    return (
      <div className={css['page']}>
        <PageHeading title={words.notFound.title} />
        {error instanceof Problem && error.code === 'not-found' ? (
          <p>{one.notFound}</p>
        ) : (
          <ProblemBox error={error} onRetry={() => void refetch()} />
        )}
        <p>
          <Link to="/birds">{birdWords.title}</Link>
        </p>
      </div>
    )
  const { device } = data
  const state = device.live === 'True' ? 'live' : device.ghost === 'True' ? 'never_seen' : 'offline'
  return (
    <div className={css['page']}>
      <p>
        <Link to="/birds">← {birdWords.title}</Link>
      </p>
      <PageHeading title={plainEvidence(device.name, 80)} of={birdWords.title}>
        <Evidence text={device.name} />
      </PageHeading>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      <p className={css['mark']} data-state={state}>
        {birdWords.states[state]}
      </p>
      <nav className={css['tabs']} aria-label={plainEvidence(device.name, 80)}>
        {TABS.map((it) => (
          <Link
            key={it}
            to="/birds/$id/$tab"
            params={{ id, tab: it }}
            aria-current={it === tab ? 'page' : undefined}
          >
            {one.tabs[it]}
          </Link>
        ))}
      </nav>
      <ErrorBoundary key={tab}>
        {tab === 'overview' && <Overview device={device} />}
        {tab === 'services' && <Services id={id} />}
        {tab === 'files' && <Files device={device} />}
        {tab === 'incidents' && <Incidents device={device} />}
      </ErrorBoundary>
    </div>
  )
}
