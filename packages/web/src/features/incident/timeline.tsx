import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { hostile, joined, type Hostile } from '../../kit/hostile.ts'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { words } from '../../words/en.ts'
import css from './incident.module.css'
import { eventsQuery, logtypesQuery, type StoredEvent } from './queries.ts'
import { asText, evidenceOf } from './read-incident.ts'

const SHOWN = 20

/** The stored events, oldest first; between the first and the last ones it says how many are only counted. */
export function Timeline({ hash, logtype }: { readonly hash: string; readonly logtype: string }) {
  const { data, error, isPending, refetch } = useQuery(eventsQuery(hash))
  const { data: kinds } = useSuspenseQuery(logtypesQuery)
  const [most, setMost] = useState(SHOWN)
  return (
    <section>
      <h2>{words.incident.timeline}</h2>
      {isPending && <Loading rows={3} />}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      <ol className={css['timeline']}>
        {data?.events.slice(0, most).map((event, at, all) => {
          const missing = event.nth - (all[at - 1]?.nth ?? 0) - 1
          return (
            <Fragment key={event.nth}>
              {missing > 0 && <li className={css['quiet']}>{words.incident.between(missing)}</li>}
              <Event event={event} evidence={evidenceOf(event.fields, kinds.logtypes[logtype])} />
            </Fragment>
          )
        })}
      </ol>
      {data && data.events.length > most && (
        <Button onClick={() => setMost(most + 200)}>{words.incident.more(data.events.length - most)}</Button>
      )}
    </section>
  )
}

function Event({ event, evidence }: { readonly event: StoredEvent; readonly evidence: [string, Hostile][] }) {
  return (
    <li>
      <details>
        <summary>
          <Time atS={event.at} />{' '}
          <span className={css['mono']}>
            <Evidence text={joined(evidence.map(([, value]) => value))} />
          </span>
        </summary>
        <dl className={css['fields']}>
          {Object.entries(event.fields).map(([name, value]) => (
            <div key={name}>
              <dt>
                <Evidence text={hostile(name)} />
              </dt>
              <dd className={css['mono']}>
                <Evidence text={asText(value)} canUnfold />
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  )
}
