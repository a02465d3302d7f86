// All tokens, newest first: found, switched off and deleted. The filter stands in the address.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import buttonCss from '../../kit/button.module.css'
import { ConfirmButton } from '../../kit/confirm-button.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextFilter } from '../../kit/text-filter.tsx'
import { useToast } from '../../kit/toast.tsx'
import { links, type TokenSearch } from '../../links.ts'
import { useBell } from '../../live/live-provider.tsx'
import { words as common } from '../../words/en.ts'
import css from './list.module.css'
import { TokenGrid } from './grid.tsx'
import { flocksQuery, kindsQuery, listQuery, type Token } from './queries.ts'
import { words } from './words.ts'

/** Counting all that match is work for the console: the list does not follow each touch. */
const FOLLOW_MS = 5_000

export function TokenList() {
  const search = useSearch({ from: '/shell/tokens' })
  const {
    data,
    error,
    isPending,
    isPlaceholderData,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
    refetch,
  } = useInfiniteQuery({ ...listQuery(search), placeholderData: (before) => before })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [problem, setProblem] = useState<unknown>()
  const followed = useRef(0)
  useBell(() => {
    // Further pages stay as they are while somebody reads them.
    if ((data?.pages.length ?? 0) > 1 || performance.now() - followed.current < FOLLOW_MS) return
    followed.current = performance.now()
    void refetch()
  })
  const tokens = data?.pages.flatMap((page) => page.tokens) ?? []
  const total = data?.pages[0]?.total_results ?? 0
  const chosen = tokens.filter(({ decoytoken }) => selected.has(decoytoken))
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const isFiltered = Object.keys(search).length > 0
  return (
    <div className={css['list']}>
      <div className={css['head']}>
        <PageHeading title={words.list.title} />
        {data && <span className={css['total']}>{words.list.shown(tokens.length, total)}</span>}
        <span className={css['ways']}>
          <Link to={links.importTokens}>{words.list.importCsv}</Link>
          <Link to={links.factories}>{words.list.factories}</Link>
          <Link to={links.newToken} className={[buttonCss['button'], buttonCss['primary']].join(' ')}>
            {words.list.newToken}
          </Link>
        </span>
        <Filters search={search} />
      </div>
      {chosen.length > 0 && (
        <BulkBar
          tokens={chosen}
          onClear={() => setSelected(new Set())}
          onChanged={(failed) => {
            // Another tab may have deleted one: the list is read anew either way.
            setProblem(failed)
            if (failed === undefined) setSelected(new Set())
            void refetch()
          }}
        />
      )}
      <div className={css['body']}>
        {problem !== undefined && <ProblemBox error={problem} />}
        {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
        {isPending && !error && <Loading rows={8} />}
        {data && total === 0 && <Empty isFiltered={isFiltered} />}
        {tokens.length > 0 && (
          <TokenGrid
            tokens={tokens}
            total={total}
            isStale={isPlaceholderData}
            selected={selected}
            onSelect={setSelected}
            onEnd={loadMore}
          />
        )}
      </div>
    </div>
  )
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <div className={css['empty']}>
      <p>
        <strong>{isFiltered ? words.list.nothing : words.list.empty}</strong>
      </p>
      <p>{isFiltered ? words.list.nothingText : words.list.emptyText}</p>
      <p>
        {isFiltered ? (
          <Link to={links.tokens} search={{}}>
            {common.action.clearFilter}
          </Link>
        ) : (
          <Link to={links.newToken}>{words.list.newToken}</Link>
        )}
      </p>
    </div>
  )
}

interface BulkBarProps {
  readonly tokens: readonly Pick<Token, 'decoytoken' | 'flock_id'>[]
  readonly onClear: () => void
  /** With what went wrong, if anything did. */
  readonly onChanged: (problem?: unknown) => void
}

function BulkBar({ tokens, onClear, onChanged }: BulkBarProps) {
  const queries = useQueryClient()
  const say = useToast()
  const flocks = tokens.map(({ flock_id }) => flock_id)
  const reason = useWhyNot('tokens', 'disableMany', flocks)
  const act = async (name: 'disableMany' | 'removeMany', said: string) => {
    try {
      await call('tokens', name, { decoytokens: tokens.map(({ decoytoken }) => decoytoken).join(',') })
      say({ text: said })
      onChanged()
      await queries.invalidateQueries({ queryKey: ['tokens', 'fetch'] })
    } catch (error) {
      onChanged(error)
    }
  }
  const n = tokens.length
  return (
    <div role="toolbar" aria-label={words.list.selected(n)} className={css['bulk']}>
      <span>{words.list.selected(n)}</span>
      <Button reason={reason} onClick={() => void act('disableMany', words.list.disabled(n))}>
        {words.list.disable(n)}
      </Button>
      <ConfirmButton
        label={words.list.remove(n)}
        question={words.list.reallyRemove(n)}
        reason={reason}
        onConfirm={() => void act('removeMany', words.list.removed(n))}
      />
      <Button look="quiet" onClick={onClear}>
        {common.action.clear}
      </Button>
    </div>
  )
}

function Filters({ search }: { readonly search: TokenSearch }) {
  const navigate = useNavigate()
  const kinds = useQuery(kindsQuery)
  const flocks = useQuery(flocksQuery)
  const change = useCallback(
    (next: Partial<Record<keyof TokenSearch, string>>) =>
      void navigate({
        to: '/tokens',
        search: (before) =>
          Object.fromEntries(Object.entries({ ...before, ...next }).filter(([, value]) => value !== '')),
        replace: true,
      }),
    [navigate],
  )
  const changeText = useCallback((q: string) => change({ q }), [change])
  const options: Record<'kind' | 'flock' | 'enabled' | 'touched', readonly (readonly [string, string])[]> = {
    kind: Object.entries(kinds.data?.kinds ?? {}).map(([kind, { name }]) => [kind, name] as const),
    flock: (flocks.data?.flocks ?? []).map(({ flock_id, name }) => [flock_id, name.slice(0, 80)] as const),
    enabled: Object.entries(words.list.is.enabled),
    touched: Object.entries(words.list.is.touched),
  }
  return (
    <div className={css['filters']} role="search" aria-label={words.list.title}>
      <TextFilter
        label={words.list.filter}
        hint={words.list.filterHint}
        text={search.q ?? ''}
        onChange={changeText}
      />
      {(['kind', 'flock', 'enabled', 'touched'] as const).map((name) => (
        <select
          key={name}
          aria-label={words.list[name]}
          className={css['choice']}
          value={search[name] ?? ''}
          onChange={({ target }) => change({ [name]: target.value })}
        >
          <option value="">{words.list.any[name]}</option>
          {options[name].map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      ))}
    </div>
  )
}
