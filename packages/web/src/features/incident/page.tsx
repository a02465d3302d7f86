// One incident: the facts, what it means, what to do next, what happened when, and who was notified.
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { secondsOf, Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { CopyButton, copyText } from '../../kit/copy-button.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { isEmpty } from '../../kit/hostile.ts'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { links } from '../../links.ts'
import { useBell } from '../../live/live-provider.tsx'
import { Problem } from '../../problem.ts'
import { words } from '../../words/en.ts'
import { listSearch, neighbours, noteCursor } from '../incidents/listed.ts'
import { Actions } from './actions.tsx'
import { Comments } from './comments.tsx'
import { Credentials } from './credentials.tsx'
import { Facts } from './facts.tsx'
import css from './incident.module.css'
import { deliveriesQuery, eventsQuery, incidentQuery, logtypesQuery } from './queries.ts'
import { Timeline } from './timeline.tsx'
import { placeOf, timesOf } from './read-incident.ts'

export function IncidentPage() {
  const { hash } = useParams({ from: '/shell/incidents/$hash' })
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { data, error, isPending, refetch } = useQuery(incidentQuery(hash))
  useBell(() => {
    void refetch()
    void queries.invalidateQueries({ queryKey: eventsQuery(hash).queryKey })
  })
  if (isPending) return <Loading />
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />
  const { incident } = data
  const { previous, next } = neighbours(hash)
  const go = (to: string | undefined) => {
    if (to === undefined) return
    noteCursor(to)
    void navigate({ to: '/incidents/$hash', params: { hash: to } })
  }
  const place = placeOf(incident)
  return (
    <article className={css['page']}>
      <div className={css['way']}>
        <Link to={links.inbox} search={listSearch()}>
          ← {words.nav.incidents}
        </Link>
        {(previous ?? next) !== undefined && (
          <>
            <Button
              look="quiet"
              shortcut="["
              onClick={() => go(previous)}
              reason={previous === undefined ? words.incident.noPrevious : undefined}
            >
              {words.incident.previous}
            </Button>
            <Button
              look="quiet"
              shortcut="]"
              onClick={() => go(next)}
              reason={next === undefined ? words.incident.noNext : undefined}
            >
              {words.incident.nextOne}
            </Button>
          </>
        )}
      </div>
      <PageHeading title={`${incident.description}: ${plainEvidence(place, 80)}`} of={words.inbox.title}>
        {incident.description}: <Evidence text={place} />
        {timesOf(incident)}
      </PageHeading>
      <Actions
        key={hash}
        incident={incident}
        hash={hash}
        keys={{
          '[': () => go(previous),
          ']': () => go(next),
          c: () => void copyText(location.href),
          n: () => document.querySelector<HTMLElement>('[data-comment]')?.focus(),
        }}
      />
      <ErrorBoundary>
        <Facts hash={hash} />
      </ErrorBoundary>
      <div className={css['columns']}>
        <div className={css['column']}>
          <ErrorBoundary>
            <Meaning logtype={incident.logtype} />
          </ErrorBoundary>
          <ErrorBoundary>
            <Credentials hash={hash} />
          </ErrorBoundary>
          <ErrorBoundary>
            <Timeline hash={hash} logtype={incident.logtype} />
          </ErrorBoundary>
        </div>
        <div className={css['column']}>
          <ErrorBoundary>
            <Notified incidentKey={incident.id} />
          </ErrorBoundary>
          <ErrorBoundary>
            <Comments key={hash} incident={incident} hash={hash} />
          </ErrorBoundary>
          <p className={css['tools']}>
            <CopyButton text={location.href} label={words.action.copyLink} />
            <CopyButton text={JSON.stringify(incident, undefined, 2)} label={words.action.copyJson} />
          </p>
        </div>
      </div>
    </article>
  )
}

function Failed({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const isGone = error instanceof Problem && error.code === 'not-found'
  return (
    <div className={css['page']}>
      <PageHeading title={words.notFound.title} />
      {isGone ? <p>{words.incident.notFound}</p> : <ProblemBox error={error} onRetry={onRetry} />}
      <p>
        <Link to={links.inbox}>{words.notFound.back}</Link>
      </p>
    </div>
  )
}

function Meaning({ logtype }: { readonly logtype: string }) {
  const { data } = useSuspenseQuery(logtypesQuery)
  const kind = data.logtypes[logtype]
  if (!kind) return null
  return (
    <>
      <section>
        <h2>{words.incident.means}</h2>
        <p>{kind.meaning}</p>
      </section>
      <section>
        <h2>{words.incident.next}</h2>
        <ol className={css['steps']}>
          {kind.next.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
    </>
  )
}

function Notified({ incidentKey }: { readonly incidentKey: string }) {
  const { data, error, refetch } = useQuery(deliveriesQuery(incidentKey))
  return (
    <section>
      <h2>{words.incident.notified}</h2>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {data?.deliveries.length === 0 && <p>{words.incident.notifiedNobody}</p>}
      <ul className={css['entries']}>
        {data?.deliveries.map(
          ({ delivery_id, webhook_kind, url_host, state, status, reason, created_std }) => (
            <li key={delivery_id}>
              <strong>{state}</strong> {webhook_kind} <Evidence text={url_host} />
              <span className={css['quiet']}>
                <Time atS={secondsOf(created_std)} /> {status > 0 && words.incident.answered(status)}{' '}
                {!isEmpty(reason) && <Evidence text={reason} />}{' '}
                <Link to={links.deliveries} search={{ open: String(delivery_id) }}>
                  {words.incident.openDelivery}
                </Link>
              </span>
            </li>
          ),
        )}
      </ul>
    </section>
  )
}
