import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../../api/call.ts'
import type { BirdsSearch } from './filter.ts'

export type BirdRow = AnswerOf<'birdQueries', 'rows'>['rows'][number]
export type PendingBird = AnswerOf<'registration', 'pending'>['devices'][number]
export type Personality = AnswerOf<'configuration', 'personalities'>['personalities'][number]
export type Bundle = AnswerOf<'configuration', 'bundles'>['bundles'][number]

export const rowsQuery = ({ q, state, flock }: BirdsSearch) =>
  infiniteQueryOptions({
    queryKey: ['birdQueries', 'rows', { q, state, flock }],
    queryFn: ({ pageParam, signal }) =>
      call(
        'birdQueries',
        'rows',
        pageParam === null
          ? { ...(q && { filter_str: q }), ...(state && { state }), ...(flock && { flock_id: flock }) }
          : { cursor: pageParam },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor.next,
    placeholderData: (before) => before,
  })

export const flocksQuery = queryOptions({
  queryKey: ['flockSummaries', 'all'],
  queryFn: ({ signal }) => call('flockSummaries', 'all', {}, signal),
})

export const pendingQuery = queryOptions({
  queryKey: ['registration', 'pending'],
  queryFn: ({ signal }) => call('registration', 'pending', {}, signal),
})

export const personalitiesQuery = queryOptions({
  queryKey: ['configuration', 'personalities'],
  queryFn: ({ signal }) => call('configuration', 'personalities', {}, signal),
})

export const enrolmentsQuery = queryOptions({
  queryKey: ['enrolments', 'list'],
  queryFn: ({ signal }) => call('enrolments', 'list', {}, signal),
})
