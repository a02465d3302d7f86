// The Birds: which there are, how they are, and what to do with several at once.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import buttonCss from '../../kit/button.module.css'
import { TextFilter } from '../../kit/text-filter.tsx'
import { words } from '../../words/en.ts'
import css from './birds.module.css'
import { BirdTable } from './bird-table.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { STATES, useBirdsAddress } from './filter.ts'
import { FlockSelect } from './flock-select.tsx'
import { rowsQuery } from './queries.ts'
import { useSlowBell } from './use-slow-bell.ts'
import { birdWords } from './words.ts'

const ConfigureMany = lazy(async () => ({
  default: (await import('../bird/configure-many.tsx')).ConfigureMany,
}))

const NONE: ReadonlySet<string> = new Set()

export function BirdsPage() {
  const address = useBirdsAddress()
  const { search } = address
  const queries = useQueryClient()
  const listed = useInfiniteQuery(rowsQuery(search))
  const [selected, setSelected] = useState(NONE)
  const [isConfiguring, setConfiguring] = useState(false)
  const pages = listed.data?.pages
  const rows = useMemo(() => (pages ?? []).flatMap((page) => page.rows), [pages])
  const total = pages?.at(-1)?.total ?? 0
  const refresh = useCallback(
    () => void queries.invalidateQueries({ queryKey: ['birdQueries', 'rows'] }),
    [queries],
  )
  useSlowBell(refresh)
  const chosen = rows.filter(({ node_id }) => selected.has(node_id))
  const toggle = useCallback(
    (id: string) =>
      setSelected((before) => {
        const next = new Set(before)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    [],
  )
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = listed
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [fetchNextPage, hasNextPage, isFetchingNextPage])
  return (
    <div className={css['list']}>
      <Head address={address} shown={pages && birdWords.shown(rows.length, total)} />
      {chosen.length > 0 && (
        <BulkBar
          birds={chosen}
          onDone={refresh}
          onClear={() => setSelected(NONE)}
          onConfigure={() => setConfiguring(true)}
        />
      )}
      {listed.error && <ProblemBox error={listed.error} onRetry={() => void listed.refetch()} />}
      {listed.isPending && <Loading rows={8} />}
      {pages && total === 0 && <Empty address={address} />}
      {rows.length > 0 && (
        <BirdTable
          rows={rows}
          total={total}
          selected={selected}
          onToggle={toggle}
          onToggleAll={(isAll) => setSelected(isAll ? new Set(rows.map(({ node_id }) => node_id)) : NONE)}
          onEnd={more}
        />
      )}
      {isConfiguring && (
        <Suspense>
          <ConfigureMany
            target={{ node_ids: chosen.map(({ node_id }) => node_id).join(',') }}
            count={chosen.length}
            onClose={() => setConfiguring(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

interface AddressProps {
  readonly address: ReturnType<typeof useBirdsAddress>
}

function Head({ address, shown }: AddressProps & { readonly shown: string | undefined }) {
  const { search, ignored, change } = address
  const setText = useCallback((q: string) => change({ q }), [change])
  const maySeeUpdates = useWhyNot('updates', 'list') === undefined
  return (
    <div className={css['head']}>
      <PageHeading title={birdWords.title} />
      <span className={css['quiet']}>{shown}</span>
      <div className={css['tabs']} role="group" aria-label={birdWords.quick}>
        {STATES.map((state) => (
          <button
            key={state}
            type="button"
            aria-pressed={search.state === state}
            onClick={() => change({ state: search.state === state ? '' : state })}
          >
            {birdWords.states[state]}
          </button>
        ))}
      </div>
      <FlockSelect
        label={birdWords.flock}
        any={birdWords.anyFlock}
        value={search.flock ?? ''}
        onChange={(flock) => change({ flock })}
      />
      <TextFilter
        label={words.inbox.search}
        hint={words.inbox.searchHint}
        text={search.q ?? ''}
        onChange={setText}
      />
      <span className={css['ways']}>
        <Link to="/birds/pending">{birdWords.pendingTitle}</Link>
        {maySeeUpdates && <Link to="/birds/updates">{birdWords.updatesTitle}</Link>}
        <Link to="/birds/new" className={[buttonCss['button'], buttonCss['primary']].join(' ')}>
          {birdWords.newTitle}
        </Link>
      </span>
      {ignored.map((value) => (
        <p key={value} role="alert" className={css['wrong']}>
          <Evidence text={birdWords.ignored(value)} />
        </p>
      ))}
    </div>
  )
}

function Empty({ address: { search, change } }: AddressProps) {
  if (Object.keys(search).length > 0)
    return (
      <div className={css['empty']}>
        <p>
          <strong>{birdWords.nothing}</strong>
        </p>
        <Button onClick={() => change({ state: '', flock: '', q: '' })}>{words.action.clearFilter}</Button>
      </div>
    )
  return (
    <div className={css['empty']}>
      <p>
        <strong>{birdWords.none}</strong>
      </p>
      <p>{birdWords.noneText}</p>
      <p>
        <Link to="/birds/new">{birdWords.newTitle}</Link>
      </p>
    </div>
  )
}
