// What is ignored: would a touch be, which lines there are, and what was ignored lately.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { whyNot } from '../../can.ts'
import { Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import type { IgnoreSearch } from '../../links.ts'
import { sessionQuery } from '../../session/session-query.ts'
import birds from '../birds/birds.module.css'
import { FlockSelect } from '../birds/flock-select.tsx'
import { useSlowBell } from '../birds/use-slow-bell.ts'
import { logtypesQuery } from '../incident/queries.ts'
import tables from '../overview/overview.module.css'
import { Annotations } from './annotations.tsx'
import { ConsoleLines, FlockLines } from './lists.tsx'
import { Probe } from './probe.tsx'
import { ignoredQuery } from './queries.ts'
import { ignoreWords } from './words.ts'

const { page: said } = ignoreWords
const CONSOLE_LISTS = ['ip', 'hostname', 'src_port', 'annotation'] as const

export function IgnorePage() {
  const search = useSearch({ from: '/shell/ignore' })
  return (
    <div className={birds['page']}>
      <PageHeading title={said.title} />
      <p className={birds['quiet']}>{said.lead}</p>
      <ErrorBoundary>
        <Probe key={JSON.stringify(search)} search={search} />
      </ErrorBoundary>
      <ErrorBoundary>
        <Lists search={search} />
      </ErrorBoundary>
      <ErrorBoundary>
        <Lately />
      </ErrorBoundary>
    </div>
  )
}

function Lists({ search }: { readonly search: IgnoreSearch }) {
  const navigate = useNavigate()
  const { me } = useSuspenseQuery(sessionQuery).data
  const reason = whyNot(me, 'consoleIgnoreLists', 'all')
  const show = (change: IgnoreSearch) =>
    void navigate({ to: '/ignore', search: (before) => ({ ...before, ...change }), replace: true })
  const { list = 'ip', flock } = search
  return (
    <section className={birds['part']}>
      <h2>{said.lists}</h2>
      <div className={birds['row-of']}>
        <span role="group" aria-label={said.lists} className={birds['tabs']}>
          {CONSOLE_LISTS.map((name) => (
            <Button
              key={name}
              look="quiet"
              reason={reason}
              aria-pressed={flock === undefined && list === name}
              onClick={() => show({ list: name, flock: undefined })}
            >
              {said.console[name]}
            </Button>
          ))}
        </span>
        <FlockSelect
          label={said.flock}
          any={said.noFlock}
          value={flock ?? ''}
          onChange={(id) => show({ flock: id || undefined })}
        />
      </div>
      {flock !== undefined ? (
        <FlockLines key={flock} flockId={flock} />
      ) : reason !== undefined ? (
        <p>{said.mayNot}</p>
      ) : list === 'annotation' ? (
        <Annotations />
      ) : (
        <ConsoleLines key={list} list={list} />
      )}
    </section>
  )
}

/** The newest of the thousand that are stored. */
const SHOWN = 200

function Lately() {
  const { data, error, isPending, refetch } = useQuery(ignoredQuery)
  const { logtypes } = useSuspenseQuery(logtypesQuery).data
  useSlowBell(() => void refetch())
  return (
    <section className={birds['part']}>
      <h2>{said.lately}</h2>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading rows={3} />}
      {data?.length === 0 && <p>{said.nothingLately}</p>}
      {data && data.length > 0 && (
        <table className={tables['table']}>
          <thead>
            <tr>
              {said.columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.slice(0, SHOWN).map((it, at) => (
              <tr key={at}>
                <td>
                  <Time atS={it.received} />
                </td>
                <td className={tables['mono']}>
                  <Evidence text={it.src_host} />
                  {it.dst_port > 0 && ` → ${it.dst_port}`}
                </td>
                <td>
                  <Evidence text={it.name} />
                </td>
                <td>{logtypes[it.logtype]?.summary ?? it.logtype}</td>
                <td>{(said.listNames as Readonly<Record<string, string>>)[it.list] ?? it.list}</td>
                <td className={tables['mono']}>
                  <Evidence text={it.entry} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
