// The five facts: what was touched, by whom, with what, how far they got, what to do now. The page and the peek show the same.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Age } from '../../kit/age.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { isEmpty } from '../../kit/hostile.ts'
import { LevelMark } from '../../kit/level-mark.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { words } from '../../words/en.ts'
import { SourceLink } from '../sources/source-link.tsx'
import css from './incident.module.css'
import { eventsQuery, incidentQuery, logtypesQuery, type Incident } from './queries.ts'
import { credentialsOf, evidenceOf, isToken, lastTouchAt, placeOf } from './read-incident.ts'

const MAX_SHOWN = 3

export function Facts({ hash }: { readonly hash: string }) {
  const incident = useQuery(incidentQuery(hash))
  if (incident.isPending) return <Loading rows={5} />
  if (incident.error) return <ProblemBox error={incident.error} onRetry={() => void incident.refetch()} />
  return <FactList incident={incident.data.incident} hash={hash} />
}

function FactList({ incident, hash }: { readonly incident: Incident; readonly hash: string }) {
  const { data } = useSuspenseQuery(logtypesQuery)
  const kind = data.logtypes[incident.logtype]
  const events = useQuery(eventsQuery(hash))
  const credentials = credentialsOf(events.data?.events ?? [])
  const newest = events.data?.events.at(-1)?.fields ?? {}
  const seen = incident.previously_seen_count ?? 0
  const name = incident.src_host_reverse
  return (
    <dl className={css['facts']}>
      <Fact label={words.incident.touched}>
        <strong>
          <Evidence text={placeOf(incident)} />
        </strong>
        <span>
          {incident.flock_name} · {incident.description}
          {incident.dst_port !== '0' && !isToken(incident) && ` · ${words.incident.port(incident.dst_port)}`}
        </span>
      </Fact>
      <Fact label={words.incident.by}>
        <strong className={css['mono']}>
          <SourceLink source={incident.src_host} />
        </strong>
        <span>
          {!isEmpty(name) && (
            <>
              <Evidence text={name} /> ·{' '}
            </>
          )}
          {seen === 0 ? words.inbox.firstSeen : words.inbox.seenBefore(seen)}
        </span>
      </Fact>
      <Fact label={words.incident.credentials}>
        {credentials.length > 0
          ? credentials.slice(0, MAX_SHOWN).map(({ user, password }, at) => (
              <span key={at} className={css['mono']}>
                <Evidence text={user} />
                {password !== undefined && (
                  <>
                    {' / '}
                    <Evidence text={password} />
                  </>
                )}
              </span>
            ))
          : evidenceOf(newest, kind)
              .slice(0, MAX_SHOWN)
              .map(([key, value]) => (
                <span key={key}>
                  {key}{' '}
                  <span className={css['mono']}>
                    <Evidence text={value} />
                  </span>
                </span>
              ))}
        {credentials.length > MAX_SHOWN && <span>{words.incident.more(credentials.length - MAX_SHOWN)}</span>}
      </Fact>
      <Fact label={words.incident.far}>
        {kind && <LevelMark level={kind.level} hasWord />}
        <span>
          {words.incident.farTimes(Number(incident.events_count))} ·{' '}
          <Age atS={lastTouchAt(incident)} isSentence />
        </span>
      </Fact>
      {kind && kind.next[0] !== undefined && <Fact label={words.incident.now}>{kind.next[0]}</Fact>}
    </dl>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
