// The rows of the inbox: pages as one scrolls, changes as the bell rings, and one's own actions at once.
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { useBell } from '../../live/live-provider.tsx'
import { append, applyChanges, enter, MAX_ROWS, putBack, without, type Rows } from './apply.ts'
import type { RowsParams } from './filter.ts'
import { foldsOf } from './fold.ts'

interface Loaded extends Rows {
  /** The filter that they answer. */
  readonly key: string
  readonly next: string | null
}

export interface InboxRows {
  readonly loaded: Loaded | undefined
  /** Whether `loaded` still answers the filter before. */
  readonly isStale: boolean
  readonly error: unknown
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
  readonly reload: () => void
  readonly showWaiting: () => void
  /** Takes rows out before the console has answered; answers how to put them back. */
  readonly remove: (hashes: ReadonlySet<string>) => () => void
}

/** `canEnter` says whether new rows may enter at the top now. */
export function useRows(params: RowsParams, canEnter: () => boolean): InboxRows {
  const key = JSON.stringify(params)
  const [loaded, setLoaded] = useState<Loaded | undefined>()
  const [error, setError] = useState<unknown>()
  const [isLoadingMore, setLoadingMore] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const latest = useRef<Loaded | undefined>(undefined)
  const put = useCallback((next: Loaded | undefined) => {
    if (!next) return
    latest.current = next
    setLoaded(next)
  }, [])
  const change = useCallback(
    (of: (rows: Rows) => Rows) => latest.current && put({ ...latest.current, ...of(latest.current) }),
    [put],
  )

  useEffect(() => {
    const stop = new AbortController()
    call('incidentViews', 'rows', JSON.parse(key) as RowsParams, stop.signal).then(
      ({ rows, total, max_updated_id, cursor }) => {
        setError(undefined)
        const folds = foldsOf(rows)
        const max = max_updated_id
        put({ key, rows, waiting: [], entered: new Set(), folds, total, max, next: cursor.next })
      },
      (failed: unknown) => {
        if (!stop.signal.aborted) setError(failed)
      },
    )
    return () => stop.abort()
  }, [key, attempt, put])

  const reload = useCallback(() => setAttempt((n) => n + 1), [])

  // One question at a time: a bell that rings meanwhile is answered by one more.
  const asking = useRef<'no' | 'yes' | 'again'>('no')
  useBell(() => {
    if (asking.current !== 'no') asking.current = 'again'
    else void ask()
  })
  async function ask(): Promise<void> {
    const before = latest.current
    if (!before) return error === undefined ? undefined : reload()
    asking.current = 'yes'
    try {
      const asked = JSON.parse(before.key) as RowsParams
      const changes = await call('incidentViews', 'rows', { ...asked, changed_since: before.max })
      // Another filter may have been chosen meanwhile.
      if (latest.current?.key === before.key) {
        setError(undefined)
        if (changes.is_complete) change((current) => applyChanges(current, changes, canEnter()))
        else reload()
      }
    } catch {
      // The connection says that it is cut; the next bell asks again.
    }
    const wasRung = (asking.current as string) === 'again'
    asking.current = 'no'
    if (wasRung) void ask()
  }

  const loadMore = useCallback(() => {
    const before = latest.current
    if (!before?.next || isLoadingMore || before.rows.length >= MAX_ROWS) return
    setLoadingMore(true)
    call('incidentViews', 'rows', { ...(JSON.parse(before.key) as RowsParams), cursor: before.next })
      .then(({ rows, cursor }) => {
        if (latest.current?.key !== before.key) return
        put({ ...latest.current, ...append(latest.current, rows), next: cursor.next })
      }, setError)
      .finally(() => setLoadingMore(false))
  }, [isLoadingMore, put])

  // Whatever was on the screen is gone, but the list goes on.
  const isDrained = loaded?.rows.length === 0 && loaded.next !== null
  useEffect(() => {
    if (isDrained) loadMore()
  }, [isDrained, loadMore])

  return {
    loaded,
    isStale: loaded !== undefined && loaded.key !== key,
    error,
    isLoadingMore,
    loadMore,
    reload,
    showWaiting: useCallback(() => void change(enter), [change]),
    remove: useCallback(
      (hashes) => {
        const old = latest.current?.rows ?? []
        change((rows) => without(rows, hashes))
        return () => void change((rows) => putBack(rows, old, hashes))
      },
      [change],
    ),
  }
}
