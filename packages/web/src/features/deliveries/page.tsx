// The log of deliveries: found, opened, and sent again. The filter stands in the address.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { secondsOf, Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { isEmpty } from '../../kit/hostile.ts'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { links, type DeliveriesSearch } from '../../links.ts'
import birds from '../birds/birds.module.css'
import { FlockSelect } from '../birds/flock-select.tsx'
import { useSlowBell } from '../birds/use-slow-bell.ts'
import tables from '../overview/overview.module.css'
import { receiversQuery } from '../receivers/queries.ts'
import { Opened } from './opened.tsx'
import { ReplayAll } from './replay-all.tsx'
import { deliveryListQuery, type Delivery } from './queries.ts'
import { deliveryWords as said } from './words.ts'

const STATES = ['waiting', 'delivered', 'failed', 'dropped', 'folded'] as const
const DAYS = ['1', '7', '30'] as const
const EVERY_MS = 5_000

export function DeliveriesPage() {
  const search = useSearch({ from: '/shell/alerts/deliveries' })
  const navigate = useNavigate()
  const { data, error, isPending, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...deliveryListQuery(search),
    // No bell rings when a message passes.
    refetchInterval: EVERY_MS,
  })
  useSlowBell(() => void refetch())
  const show = (change: DeliveriesSearch) =>
    void navigate({ to: links.deliveries, search: { ...search, ...change }, replace: true })
  const rows = data?.pages.flatMap(({ deliveries }) => deliveries) ?? []
  const isFiltered = Object.keys(search).some((key) => key !== 'open')
  return (
    <div className={birds['page']}>
      <PageHeading title={said.title} />
      <p className={birds['quiet']}>{said.lead}</p>
      <Filter search={search} onChange={show} />
      {search.receiver !== undefined && (
        <ReplayAll
          key={search.receiver}
          receiver={search.receiver}
          flock={rows[0]?.flock_id}
          onDone={() => void refetch()}
        />
      )}
      {search.open !== undefined && (
        <ErrorBoundary key={search.open}>
          <Opened
            id={search.open}
            onClose={() => show({ open: undefined })}
            onReplayed={(open) => {
              void refetch()
              show({ open })
            }}
          />
        </ErrorBoundary>
      )}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && rows.length === 0 && <p>{isFiltered ? said.noneMatches : said.none}</p>}
      {rows.length > 0 && (
        <Rows rows={rows} opened={search.open} onOpen={(id) => show({ open: String(id) })} />
      )}
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{said.more}</Button>}
    </div>
  )
}

interface FilterProps {
  readonly search: DeliveriesSearch
  readonly onChange: (change: DeliveriesSearch) => void
}

function Filter({ search: { state, flock, receiver, days }, onChange }: FilterProps) {
  const receivers = useQuery(receiversQuery).data?.receivers ?? []
  return (
    <div className={birds['row-of']}>
      <span role="group" aria-label={said.state} className={birds['tabs']}>
        {[undefined, ...STATES].map((it) => (
          <Button
            key={it ?? ''}
            look="quiet"
            aria-pressed={it === state}
            onClick={() => onChange({ state: it })}
          >
            {it === undefined ? said.any : said.states[it]}
          </Button>
        ))}
      </span>
      <FlockSelect
        label={said.flock}
        any={said.anyFlock}
        value={flock ?? ''}
        onChange={(id) => onChange({ flock: id || undefined })}
      />
      <label className={birds['choice']}>
        {said.receiver}
        <select
          className={birds['select']}
          value={receiver ?? ''}
          onChange={({ target }) => onChange({ receiver: target.value || undefined })}
        >
          <option value="">{said.anyReceiver}</option>
          {receiver !== undefined && receivers.every((it) => it.webhook_id !== receiver) && (
            <option value={receiver}>{receiver}</option>
          )}
          {receivers.map((it) => (
            <option key={it.webhook_id} value={it.webhook_id}>
              {plainEvidence(it.url_host, 60)}
            </option>
          ))}
        </select>
      </label>
      <label className={birds['choice']}>
        {said.time}
        <select
          className={birds['select']}
          value={days ?? ''}
          onChange={({ target }) => onChange({ days: DAYS.find((it) => it === target.value) })}
        >
          <option value="">{said.always}</option>
          {DAYS.map((it) => (
            <option key={it} value={it}>
              {said.days[it]}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

interface RowsProps {
  readonly rows: readonly Delivery[]
  readonly opened: string | undefined
  readonly onOpen: (id: number) => void
}

function Rows({ rows, opened, onOpen }: RowsProps) {
  return (
    <table className={tables['table']} aria-label={said.title}>
      <thead>
        <tr>
          {said.columns.map((name) => (
            <th key={name} scope="col">
              {name || <span className="visually-hidden">{said.open}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((it) => (
          <tr key={it.delivery_id}>
            <td>
              <Time atS={secondsOf(it.created_std)} />
            </td>
            <td>
              <span className={it.state === 'failed' || it.state === 'dropped' ? birds['wrong'] : undefined}>
                {said.states[it.state]}
              </span>
              {it.next_attempt !== '' && (
                <>
                  , {said.nextTry} <Time atS={secondsOf(it.next_attempt)} />
                </>
              )}
            </td>
            <td>
              <Evidence text={it.url_host} />
            </td>
            <td>
              {said.subjects[it.subject] ?? it.subject}
              {it.replay_of > 0 && ` · ${said.isReplay(it.replay_of)}`}
            </td>
            <td>{it.attempt}</td>
            <td>
              {it.status > 0 && it.status} {!isEmpty(it.reason) && <Evidence text={it.reason} />}
            </td>
            <td>
              <Button
                look="quiet"
                aria-label={`${said.open} ${it.delivery_id}`}
                aria-pressed={opened === String(it.delivery_id)}
                onClick={() => onOpen(it.delivery_id)}
              >
                {said.open}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
