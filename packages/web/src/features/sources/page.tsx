// All that one address did: when, where and with what; acknowledged at once, or copied into a ticket.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useWhyNot } from '../../can.ts'
import { Age } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { copyText } from '../../kit/copy-button.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { addressOf, hostile } from '../../kit/hostile.ts'
import { areKeysOn, isForPage, usePageKeys } from '../../kit/keys.ts'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import { explain } from '../../problem.ts'
import { words } from '../../words/en.ts'
import { useSlowBell } from '../birds/use-slow-bell.ts'
import { allOf, useActions } from '../incidents/use-actions.ts'
import css from '../overview/overview.module.css'
import { TimelinePart } from '../overview/timeline.tsx'
import { Aside } from './aside.tsx'
import { Did } from './did.tsx'
import { historyQuery, MAX_COPIED, openQuery, readRows, rowsQuery } from './queries.ts'
import { asText, nameOf } from './summary.ts'
import { sourceWords as said } from './words.ts'

export function SourcePage() {
  const { address } = useParams({ from: '/shell/sources/$address' })
  return (
    <div className={css['page']}>
      <p>
        <Link to="/incidents">← {words.nav.incidents}</Link>
      </p>
      <PageHeading title={said.title(plainEvidence(address, 45))}>
        <Evidence text={said.title(address)} />
      </PageHeading>
      {addressOf(hostile(address)) === undefined ? (
        <p>{said.noAddress}</p>
      ) : (
        <Source key={address} address={address} />
      )}
    </div>
  )
}

function Source({ address }: { readonly address: string }) {
  const found = useInfiniteQuery(rowsQuery(address))
  const open = useQuery(openQuery(address))
  const history = useQuery(historyQuery(address))
  const { refetch } = found
  const reload = useCallback(() => {
    for (const ask of [refetch, open.refetch, history.refetch]) void ask()
  }, [refetch, open.refetch, history.refetch])
  useSlowBell(reload)
  const { act, undo } = useActions({ remove: () => reload, reload }, reload)
  usePageKeys((event) => {
    if (event.key === 'z' && isForPage(event) && areKeysOn()) void undo()
  })
  const rows = found.data?.pages.flatMap((page) => page.rows) ?? []
  const total = found.data?.pages[0]?.total ?? 0
  // Each is acknowledged by itself, since it is of others, too.
  const shared = rows.filter((row) => !row.acknowledged && addressOf(row.src_host) === undefined).length
  const openNow = Math.max(0, (open.data?.total ?? 0) - shared)
  const reason = useWhyNot('incidentActions', 'acknowledgeMany')
  const past = history.data?.incidents ?? []
  const deleted = past.filter((it) => it.deleted).length
  const failed = found.error ?? open.error ?? history.error
  const acknowledge = async () => {
    await act('acknowledge', allOf({ source: address }), false)
    // The button may have made room for one that says why it cannot be pressed.
    document.querySelector('h1')?.focus()
  }
  if (found.isPending) return <Loading />
  const name = nameOf(rows)
  const firstAt = past[0]?.created
  const lastAt = rows.reduce((latest, { last }) => Math.max(latest, last), 0)
  return (
    <>
      {failed && <ProblemBox error={failed} onRetry={reload} />}
      {found.data && total === 0 && <p>{said.none}</p>}
      {total > 0 && (
        <>
          <p>
            <strong>{said.sum(total, open.data?.total ?? 0)}</strong>{' '}
            {firstAt !== undefined && history.data?.cursor.next === null && (
              <>
                {said.first} <Age atS={firstAt} isSentence />, {said.last} <Age atS={lastAt} isSentence />.
              </>
            )}{' '}
            {name && (
              <>
                {said.name} <Evidence text={name} />.
              </>
            )}
          </p>
          <div className={css['tools']}>
            <Button
              look="primary"
              reason={reason ?? (openNow === 0 ? said.noneOpen : undefined)}
              onClick={() => void acknowledge()}
            >
              {words.action.acknowledgeN(openNow)}
            </Button>
            <CopyAll address={address} />
            <Link to="/incidents" search={{ source: address, state: 'all' }}>
              {said.inbox}
            </Link>
          </div>
          {shared > 0 && <p className={css['quiet']}>{said.shared}</p>}
        </>
      )}
      {deleted > 0 && (
        <p className={css['quiet']}>{said.deleted(deleted, history.data?.cursor.next === null)}</p>
      )}
      {total > 0 && (
        <>
          <ErrorBoundary>
            <TimelinePart time="30" source={address} />
          </ErrorBoundary>
          <div className={css['columns']}>
            <ErrorBoundary>
              <Did
                rows={rows}
                total={total}
                {...(found.hasNextPage && { onMore: () => void found.fetchNextPage() })}
              />
            </ErrorBoundary>
            <ErrorBoundary>
              <Aside rows={rows} past={past} />
            </ErrorBoundary>
          </div>
        </>
      )}
    </>
  )
}

function CopyAll({ address }: { readonly address: string }) {
  const say = useToast()
  const copy = async () => {
    try {
      const found = await readRows(address, MAX_COPIED, null)
      const isCopied = await copyText(asText(address, found))
      say({ text: isCopied ? said.copied(found.rows.length, found.total) : said.notCopied })
    } catch (error) {
      const { title, text } = explain(error)
      say({ text: `${title} ${text}` })
    }
  }
  return <Button onClick={() => void copy()}>{said.copy}</Button>
}
