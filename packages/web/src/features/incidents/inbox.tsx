// The inbox: what happened, newest first, and what to do with it. Its whole state stands in the address.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import type { InboxSearch } from '../../links.ts'
import { count, words } from '../../words/en.ts'
import { BulkBar } from './bulk-bar.tsx'
import { Empty } from './empty.tsx'
import { filtersOf, rowsParams } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import { Grid } from './grid.tsx'
import css from './inbox.module.css'
import { Peek } from './peek.tsx'
import { useActions, type Action } from './use-actions.ts'
import { useInboxKeys } from './use-inbox-keys.ts'
import { useRows } from './use-rows.ts'
import { useSelection } from './use-selection.ts'

/** A row enters by itself only if nobody has touched the list for so long. */
const UNTOUCHED_MS = 2_000

export function Inbox() {
  const search: InboxSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const params = useMemo(() => rowsParams({ ...search, peek: '' }), [search])
  const box = useRef<HTMLDivElement>(null)
  const touchedAt = useRef(0)
  const canEnter = useCallback(
    () => (box.current?.scrollTop ?? 0) < 8 && Date.now() - touchedAt.current > UNTOUCHED_MS,
    [],
  )
  const rows = useRows(params, canEnter)
  const list = rows.loaded?.rows ?? []
  const selection = useSelection(list)
  const { act, undo } = useActions(rows)
  const state = search.state ?? 'open'
  const change = useCallback(
    (next: Partial<InboxSearch>) =>
      void navigate({ to: '.', search: (before: InboxSearch) => ({ ...before, ...next }), replace: true }),
    [navigate],
  )
  const leaves = (action: Action): boolean =>
    action === 'remove' || (state !== 'all' && (action === 'acknowledge') === (state === 'open'))
  const run = (action: Action) => {
    const target = selection.isAll ? search : selection.targets()
    if (target instanceof Set && target.size === 0) return
    const hasPeek = target instanceof Set && search.peek !== undefined && target.has(search.peek)
    selection.clear()
    if (hasPeek) change({ peek: '' })
    void act(action, target, leaves(action))
  }
  const open = (hash: string) => void navigate({ to: '/incidents/$hash', params: { hash } })
  const keys = useInboxKeys({
    selection,
    run,
    open,
    undo: () => void undo(),
    peek: (hash) => change({ peek: search.peek === hash ? '' : hash }),
    showWaiting: rows.showWaiting,
    canAct: { acknowledge: state !== 'acknowledged', unacknowledge: state !== 'open' },
  })
  const cursor = selection.cursor
  useEffect(() => {
    // The peek follows the cursor.
    if (search.peek && cursor && cursor !== search.peek) change({ peek: cursor })
  }, [cursor, search.peek, change])
  const total = rows.loaded?.total ?? 0
  const waiting = rows.loaded?.waiting.length ?? 0
  return (
    <div className={css['inbox']}>
      <div className={css['head']}>
        <PageHeading title={words.inbox.title} />
        <span className={css['total']}>{rows.loaded && words.inbox.shown(list.length, total)}</span>
        <FilterBar search={search} onChange={change} />
      </div>
      {rows.loaded && (selection.size > 0 || selection.isAll) && (
        <BulkBar selection={selection} total={total} state={state} onAct={run} />
      )}
      {waiting > 0 && (
        <Button className={css['pill']} look="primary" shortcut="." onClick={rows.showWaiting}>
          {words.inbox.newRows(waiting)}
        </Button>
      )}
      <div className={css['body']}>
        <div className={css['list']}>
          {rows.error !== undefined && <ProblemBox error={rows.error} onRetry={rows.reload} />}
          {!rows.loaded && rows.error === undefined && <Loading rows={8} />}
          {rows.loaded && total === 0 && waiting === 0 && (
            <Empty isFiltered={filtersOf(search).length > 0} state={state} onClear={() => void navigate({ to: '/', search: {} })} />
          )}
          {list.length > 0 && (
            <Grid
              box={box}
              rows={list}
              total={total}
              selection={selection}
              onOpen={open}
              onKeyDown={keys}
              onTouch={() => (touchedAt.current = Date.now())}
              onEnd={rows.loadMore}
            />
          )}
        </div>
        {search.peek && (
          <Peek hash={search.peek} onClose={() => (change({ peek: '' }), box.current?.focus())} />
        )}
      </div>
      <Title open={state === 'open' ? total : undefined} />
    </div>
  )
}

/** The tab says how much is open, also in the background. */
function Title({ open }: { readonly open: number | undefined }) {
  const [first] = useState(() => document.title)
  useEffect(() => {
    if (open !== undefined) document.title = `${open > 0 ? `(${count(open)}) ` : ''}${words.inbox.title} · ${words.product}`
    return () => void (document.title = first)
  }, [open, first])
  return null
}
