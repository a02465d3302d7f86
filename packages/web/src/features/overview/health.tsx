// What keeps the console from seeing, or from telling: each with the way to where it is put right.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call, type AnswerOf } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Evidence } from '../../kit/evidence.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import css from './overview.module.css'
import { houseWords } from './words.ts'

const { overview: said } = houseWords

export type Flocks = AnswerOf<'flockSummaries', 'all'>['flocks_summary']

export const sum = (flocks: Flocks, of: (flock: Flocks[string]) => number): number =>
  Object.values(flocks).reduce((n, flock) => n + of(flock), 0)

export function Health({ flocks }: { readonly flocks: Flocks }) {
  const offline = sum(flocks, ({ dead }) => dead)
  const failed = useQuery({
    queryKey: ['birdQueries', 'rows', 'settings failed'],
    queryFn: ({ signal }) => call('birdQueries', 'rows', { state: 'settings_failed', limit: 1 }, signal),
  })
  const receivers = useQuery({
    queryKey: ['receiverOverview', 'list'],
    queryFn: ({ signal }) => call('receiverOverview', 'list', {}, signal),
  })
  const channels = useQuery({
    queryKey: ['tokens', 'channels'],
    queryFn: ({ signal }) => call('tokens', 'channels', {}, signal),
  })
  // Of the machine, so that admins alone may know it.
  const isAdmin = useWhyNot('consoleHealth', 'read') === undefined
  const house = useQuery({
    queryKey: ['consoleHealth', 'read'],
    queryFn: ({ signal }) => call('consoleHealth', 'read', {}, signal),
    enabled: isAdmin,
  })
  const asked = [failed, receivers, channels, ...(isAdmin ? [house] : [])]
  const found = house.data?.findings.filter(({ ok }) => !ok) ?? []
  const failing =
    receivers.data?.receivers.filter(
      ({ state, reason }) => state === 'failing' || (state === 'off' && reason),
    ) ?? []
  const silent = channels.data?.channels.filter(({ missing }) => missing.length > 0) ?? []
  const unreached = receivers.data?.unreached ?? []
  const isWell =
    asked.every(({ isSuccess }) => isSuccess) &&
    offline + (failed.data?.total ?? 0) + found.length + failing.length + silent.length + unreached.length ===
      0
  return (
    <section className={css['part']}>
      <h2>{said.health}</h2>
      {asked.map(
        ({ error, refetch }, nth) =>
          error && <ProblemBox key={nth} error={error} onRetry={() => void refetch()} />,
      )}
      {isWell && <p>{said.well}</p>}
      <ul className={css['entries']}>
        {offline > 0 && (
          <li>
            <Link to="/birds" search={{ state: 'offline' }}>
              {said.offline(offline)}
            </Link>
          </li>
        )}
        {failed.data !== undefined && failed.data.total > 0 && (
          <li>
            <Link to="/birds" search={{ state: 'settings_failed' }}>
              {said.settings(failed.data.total)}
            </Link>
          </li>
        )}
        {unreached.map(({ flock_id, name }) => (
          <li key={flock_id}>
            {said.nobody}{' '}
            <Link to="/flocks/$id" params={{ id: flock_id }}>
              <Evidence text={name} />
            </Link>
          </li>
        ))}
        {failing.map(({ webhook_id, url_host, reason }) => (
          <li key={webhook_id}>
            <Evidence text={said.receiver(url_host, reason)} canUnfold />
          </li>
        ))}
        {found.map(({ about, text }) => (
          <li key={text}>
            <Evidence text={said.found(about, text)} canUnfold />
          </li>
        ))}
        {silent.map(({ channel, missing }) => (
          <li key={channel}>{said.channel(channel, missing.join(' '))}</li>
        ))}
      </ul>
    </section>
  )
}
