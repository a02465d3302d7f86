// One Bird at a glance: how it is, where it is, and which settings were sent to it.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Age, exactTime } from '../../kit/age.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useZone } from '../../me/preferences.ts'
import { flocksQuery } from '../birds/queries.ts'
import { birdWords } from '../birds/words.ts'
import css from './bird.module.css'
import { Describe } from './describe.tsx'
import { bundlesQuery, type Device } from './queries.ts'

const { one } = birdWords
const BUNDLES_SHOWN = 20

export const Overview = ({ device }: { readonly device: Device }) => (
  <div className={css['columns']}>
    <ErrorBoundary>
      <Facts device={device} />
    </ErrorBoundary>
    <ErrorBoundary>
      <Bundles id={device.node_id} />
    </ErrorBoundary>
    <ErrorBoundary>
      <Describe key={device.node_id} device={device} />
    </ErrorBoundary>
  </div>
)

function Facts({ device }: { readonly device: Device }) {
  const flocks = useQuery(flocksQuery).data?.flocks_summary
  const { fields } = one
  const facts: readonly (readonly [string, string])[] = [
    [fields.address, device.ip_address],
    [fields.version, device.device_version],
    [fields.sensor, device.sensor],
    [fields.mac, device.mac_address],
    [fields.reachable, device.reachable_from],
    [fields.uptime, device.uptime_age],
    [fields.location, device.location],
    [fields.description, device.description],
    [fields.id, device.node_id],
  ]
  return (
    <section className={css['part']}>
      <h2>{one.facts}</h2>
      {device.settings_failure !== '' && (
        <p role="alert" className={css['error']}>
          {one.failure} <Evidence text={device.settings_failure} canUnfold />
        </p>
      )}
      <dl className={css['facts']}>
        <dt>{fields.flock}</dt>
        <dd>
          <Link to="/flocks/$id" params={{ id: device.flock_id }}>
            <Evidence text={flocks?.[device.flock_id]?.name ?? device.flock_id} />
          </Link>
        </dd>
        <dt>{fields.seen}</dt>
        <dd>
          <Age atS={Number(device.last_heartbeat)} />
        </dd>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name} className={css['fact']}>
              <dt>{name}</dt>
              <dd>
                <Evidence text={value} canUnfold />
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

function Bundles({ id }: { readonly id: string }) {
  const zone = useZone()
  const { data, error, isPending, refetch } = useQuery(bundlesQuery(id))
  return (
    <section className={css['part']}>
      <h2>{one.bundles}</h2>
      {isPending && <Loading rows={2} />}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {data?.bundles.length === 0 && <p className={css['quiet']}>{one.noBundles}</p>}
      <ul className={css['entries']}>
        {data?.bundles.slice(0, BUNDLES_SHOWN).map(({ tag, state, reason, created_time }) => (
          <li key={tag} className={css['follow']} data-state={state}>
            <strong>{one.bundleStates[state]}</strong>{' '}
            <span className={css['quiet']}>{exactTime(Number(created_time), zone)}</span>{' '}
            {reason !== '' && <Evidence text={reason} canUnfold />}
          </li>
        ))}
      </ul>
    </section>
  )
}
