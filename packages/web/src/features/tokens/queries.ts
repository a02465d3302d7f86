import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../../api/call.ts'
import type { TokenSearch } from '../../links.ts'

export type Token = AnswerOf<'tokens', 'fetch'>['token']
export type Created = AnswerOf<'tokens', 'create'>
export type Kind = AnswerOf<'tokens', 'kindFacts'>['kinds'][string]
export type KindField = Kind['fields'][number]
export type Touch = AnswerOf<'tokens', 'history'>['history'][number]

export const kindsQuery = queryOptions({
  queryKey: ['tokens', 'kindFacts'],
  queryFn: ({ signal }) => call('tokens', 'kindFacts', {}, signal),
})

export const flocksQuery = queryOptions({
  queryKey: ['flockSummaries', 'filter'],
  queryFn: ({ signal }) => call('flockSummaries', 'filter', {}, signal),
})

export const tokenQuery = (id: string) =>
  queryOptions({
    queryKey: ['tokens', 'fetch', id],
    queryFn: ({ signal }) => call('tokens', 'fetch', { decoytoken: id }, signal),
    retry: false,
  })

export const listQuery = ({ q, kind, flock, enabled, touched }: TokenSearch) =>
  infiniteQueryOptions({
    queryKey: ['tokens', 'search', q, kind, flock, enabled, touched],
    queryFn: ({ signal, pageParam }) =>
      call(
        'tokens',
        'search',
        {
          ...(q !== undefined && { filter_str: q }),
          ...(kind !== undefined && { kind }),
          ...(flock !== undefined && { flock_id: flock }),
          ...(enabled !== undefined && { enabled: enabled === 'yes' }),
          ...(touched !== undefined && { touched: touched === 'yes' }),
          ...(pageParam !== null && { cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor.next,
  })

export const historyQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['tokens', 'history', id],
    queryFn: ({ signal, pageParam }) =>
      call('tokens', 'history', { decoytoken: id, ...(pageParam !== null && { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor.next,
  })

/** The newest incident of a token. */
export const firstTouchQuery = (id: string) =>
  queryOptions({
    queryKey: ['incidentViews', 'rows', 'of token', id],
    queryFn: ({ signal }) =>
      call('incidentViews', 'rows', { decoytoken: id, state: 'all', limit: 1 }, signal),
  })

export const factoriesQuery = queryOptions({
  queryKey: ['apiKeys', 'list'],
  queryFn: ({ signal }) => call('apiKeys', 'list', {}, signal),
})

export const sitesQuery = (flockId: string, id: string) =>
  queryOptions({
    queryKey: ['clonedSiteIgnores', 'fetch', id],
    queryFn: ({ signal }) =>
      call('clonedSiteIgnores', 'fetch', { flock_id: flockId, decoytoken: id }, signal),
  })
