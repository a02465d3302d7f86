// The rows of the inbox: pages as one scrolls, changes as the bell rings, and one's own actions at once.
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { useBell } from '../../live/live-provider.tsx'
import { applyChanges, enter, MOST_ROWS, without, type Rows } from './apply.ts'
import type { RowsParams } from './filter.ts'

interface Loaded extends Rows {
  readonly next: string | null
}

export interface InboxRows {
  readonly loaded: Loaded | undefined
  readonly error: unknown
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
  readonly reload: () => void
  readonly showWaiting: () => void
  /** Takes rows out before the console has answered. */
  readonly remove: (hashes: ReadonlySet<string>) => void
}

/** `canEnter` says whether new rows may enter at the top now. */
export function useRows(params: RowsParams, canEnter: () => boolean): InboxRows {
  const key = JSON.stringify(params)
  const [loaded, setLoaded] = useState<Loaded | undefined>()
  const [error, setError] = useState<unknown>()
  const [isLoadingMore, setLoadingMore] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const latest = useRef<Loaded | undefined>(undefined)
  const put = useCallback((next: Loaded) => {
    latest.current = next
    setLoaded(next)
  }, [])

  useEffect(() => {
    const stop = new AbortController()
    call('incidentViews', 'rows', JSON.parse(key) as RowsParams, stop.signal).then(
      ({ rows, total, max_updated_id, cursor }) => {
        setError(undefined)
        put({ rows, waiting: [], total, max: max_updated_id, next: cursor.next })
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
      const changes = await call('incidentViews', 'rows', { ...params, changed_since: before.max })
      const current = latest.current
      if (current && JSON.stringify(params) === key) {
        if (changes.is_complete) put({ ...applyChanges(current, changes, canEnter()), next: current.next })
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
    if (!before?.next || isLoadingMore || before.rows.length >= MOST_ROWS) return
    setLoadingMore(true)
    call('incidentViews', 'rows', { ...(JSON.parse(key) as RowsParams), cursor: before.next })
      .then(({ rows, cursor }) => {
        const current = latest.current ?? before
        const known = new Set(current.rows.map(({ hash_id }) => hash_id))
        put({
          ...current,
          rows: [...current.rows, ...rows.filter(({ hash_id }) => !known.has(hash_id))],
          next: cursor.next,
        })
      }, setError)
      .finally(() => setLoadingMore(false))
  }, [isLoadingMore, key, put])

  return {
    loaded,
    error,
    isLoadingMore,
    loadMore,
    reload,
    showWaiting: useCallback(() => {
      if (latest.current) put({ ...enter(latest.current), next: latest.current.next })
    }, [put]),
    remove: useCallback(
      (hashes) => {
        if (latest.current) put({ ...without(latest.current, hashes), next: latest.current.next })
      },
      [put],
    ),
  }
}
