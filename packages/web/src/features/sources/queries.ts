import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** Of a page; of what is copied. */
export const ROWS_SHOWN = 100
export const MAX_COPIED = 1_000

export const readRows = (address: string, limit: number, cursor: string | null, signal?: AbortSignal) =>
  call(
    'incidentViews',
    'rows',
    cursor === null ? { source: address, state: 'all', limit } : { cursor },
    signal,
  )

export const rowsQuery = (address: string) =>
  infiniteQueryOptions({
    queryKey: ['incidentViews', 'rows', 'source', address],
    queryFn: ({ pageParam, signal }) => readRows(address, ROWS_SHOWN, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor.next,
  })

export const openQuery = (address: string) =>
  queryOptions({
    queryKey: ['incidentViews', 'rows', 'open of source', address],
    queryFn: ({ signal }) =>
      call('incidentViews', 'rows', { source: address, state: 'open', limit: 1 }, signal),
  })

/** The newest 1,000, deleted ones included. */
export const historyQuery = (address: string) =>
  queryOptions({
    queryKey: ['incidentQueries', 'sourceHistory', address],
    queryFn: ({ signal }) => call('incidentQueries', 'sourceHistory', { src_ip: address }, signal),
  })
