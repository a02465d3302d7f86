// The inbox: what happened, newest first, and what to do with it. Its whole state stands in the address.
import { Button } from '../../kit/button.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import type { InboxSearch } from '../../links.ts'
import { words } from '../../words/en.ts'
import { Nobody } from '../receivers/nobody.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { Empty } from './empty.tsx'
import { Export } from './export.tsx'
import { filtersOf } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import { Grid } from './grid.tsx'
import css from './inbox.module.css'
import { NewsForReaders, TabTitle } from './news.tsx'
import { Peek } from './peek.tsx'
import { useInbox } from './use-inbox.ts'

export function Inbox() {
  const it = useInbox()
  const { search, rows, list, lines, selection, state, refilter } = it
  const total = rows.loaded?.total ?? 0
  const waiting = rows.loaded?.waiting.length ?? 0
  const isWhole = rows.loaded?.next === null && !rows.isStale
  const hasBar = rows.loaded && !rows.isStale && (selection.size > 0 || selection.isAll)
  return (
    <div className={css['inbox']}>
      <div className={css['head']}>
        <PageHeading title={words.inbox.title} />
        <span className={css['total']}>{rows.loaded && words.inbox.shown(list.length, total)}</span>
        <FilterBar search={search} ignored={it.ignored} onChange={refilter} />
        {total > 0 && <Export search={search} total={total} />}
        <Nobody />
      </div>
      {hasBar && (
        <BulkBar
          rows={list}
          chosen={it.chosen}
          isWhole={isWhole}
          selection={selection}
          total={total}
          reason={it.reason}
          search={search}
          onAct={it.run}
          onChange={it.change}
        />
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
          {rows.loaded && !rows.isStale && total === 0 && waiting === 0 && (
            <Empty
              isFiltered={filtersOf(search).length > 0}
              state={state}
              onClear={() => refilter({ ...NO_FILTER, state })}
            />
          )}
          {list.length > 0 && (
            <Grid
              box={it.box}
              lines={lines}
              search={search}
              isWhole={isWhole}
              entered={rows.loaded?.entered}
              isStale={rows.isStale}
              total={total - list.length + lines.length}
              selection={selection}
              onOpen={it.open}
              onUnfold={it.unfold}
              onTouch={it.touched}
              onEnd={rows.loadMore}
            />
          )}
        </div>
        {search.peek && (
          <Peek
            hash={search.peek}
            onClose={it.closePeek}
            onAcknowledge={state === 'acknowledged' || hasBar ? undefined : () => it.run('acknowledge')}
            onChange={refilter}
          />
        )}
      </div>
      <NewsForReaders waiting={waiting} entered={rows.loaded?.entered.size ?? 0} />
      <TabTitle open={state === 'open' ? rows.loaded?.total : undefined} />
    </div>
  )
}

const NO_FILTER: Record<keyof InboxSearch, string> = {
  state: '',
  level: '',
  flock: '',
  bird: '',
  token: '',
  source: '',
  type: '',
  q: '',
  from: '',
  to: '',
  peek: '',
}
