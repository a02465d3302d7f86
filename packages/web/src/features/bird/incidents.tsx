// The newest incidents of a Bird, and the way to all of them.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { Age } from '../../kit/age.tsx'
import { LevelMark } from '../../kit/level-mark.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useSlowBell } from '../birds/use-slow-bell.ts'
import { birdWords } from '../birds/words.ts'
import { SourceLink } from '../sources/source-link.tsx'
import css from './bird.module.css'
import type { Device } from './queries.ts'

const SHOWN = 20

export function Incidents({ device: { node_id } }: { readonly device: Device }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['incidentViews', 'rows', 'bird', node_id],
    queryFn: ({ signal }) => call('incidentViews', 'rows', { state: 'open', node_id, limit: SHOWN }, signal),
  })
  useSlowBell(() => void refetch())
  if (isPending) return <Loading rows={4} />
  return (
    <section className={css['part']}>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      <p>
        {data?.total === 0 ? birdWords.one.noIncidents : birdWords.one.open(data?.total ?? 0)}{' '}
        <Link to="/" search={{ bird: node_id }}>
          {birdWords.one.toIncidents}
        </Link>
      </p>
      <ul className={css['entries']}>
        {data?.rows.map(({ hash_id, level, summary, src_host, last }) => (
          <li key={hash_id}>
            <LevelMark level={level} hasWord />{' '}
            <Link to="/incidents/$hash" params={{ hash: hash_id }}>
              {summary}
            </Link>{' '}
            <SourceLink source={src_host} />{' '}
            <span className={css['quiet']}>
              <Age atS={last} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
