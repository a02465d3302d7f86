// How many incidents a fold stands for: counted here where all rows are loaded, else by the console.
import { queryOptions, useQueries, useQueryClient, type Query } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../api/call.ts'
import type { InboxSearch } from '../../links.ts'
import { useBell } from '../../live/live-provider.tsx'
import { refresher, type Refresher } from '../../live/refresh.ts'
import { rowsParams } from './filter.ts'
import type { Fold } from './fold.ts'

const OF_FOLD = 'of fold'
const isCount = ({ queryKey }: Query): boolean => queryKey[1] === OF_FOLD

const foldCount = (search: InboxSearch, source: string) => {
  const params = { ...rowsParams(search), source, of_one_source: true, limit: 1 }
  return queryOptions({
    queryKey: ['incidentViews', OF_FOLD, params],
    queryFn: async ({ signal }) => (await call('incidentViews', 'rows', params, signal)).total,
    staleTime: 0,
  })
}

/** Of each; undefined until the console has counted. */
export const useFoldCounts = (
  search: InboxSearch,
  folds: readonly Fold[],
  isWhole: boolean,
): readonly (number | undefined)[] =>
  useQueries({
    queries: folds.map(({ source }) => ({ ...foldCount(search, source), enabled: !isWhole })),
  }).map(({ data }, at) => (isWhole ? folds[at]?.rows.length : data))

/** Counts again when incidents changed, once a second at most. */
export function useFreshCounts(): void {
  const queries = useQueryClient()
  const counts = useRef<Refresher>(undefined)
  useEffect(() => {
    counts.current = refresher(queries, isCount)
    return counts.current.stop
  }, [queries])
  useBell(() => counts.current?.refresh())
}
