import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../../api/call.ts'
import { hasEnded } from '../bird/queries.ts'

export type Release = AnswerOf<'updates', 'list'>['updates'][number]

/** The newest first. */
export const releasesQuery = queryOptions({
  queryKey: ['updates', 'list'],
  queryFn: async ({ signal }) => (await call('updates', 'list', {}, signal)).updates.toReversed(),
})

export const updatableQuery = queryOptions({
  queryKey: ['updates', 'updatable'],
  queryFn: async ({ signal }) => (await call('updates', 'updatable', {}, signal)).updatable_devices ?? [],
})

export const birdsQuery = infiniteQueryOptions({
  queryKey: ['birdQueries', 'rows', 'updates'],
  queryFn: ({ pageParam, signal }) =>
    call('birdQueries', 'rows', pageParam === null ? { limit: 1_000 } : { cursor: pageParam }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: ({ cursor }) => cursor.next,
})

/** The operation answers for one Flock. */
export const updatingQuery = (flocks: readonly string[]) =>
  queryOptions({
    queryKey: ['updates', 'updating', flocks],
    queryFn: async ({ signal }) => {
      const ask = (flock_id: string) => call('updates', 'updating', { flock_id }, signal)
      return (await Promise.all(flocks.map(ask))).flatMap(({ updating_devices }) => updating_devices)
    },
    placeholderData: (before) => before,
  })

const POLL_MS = 1_000

/** The newest update of a Bird, asked for until it has ended. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['updates', 'job', id],
    queryFn: async ({ signal }) => {
      const { bundles } = await call('configuration', 'bundles', { node_id: id }, signal)
      return bundles.find(({ type }) => type === 'update') ?? null
    },
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : POLL_MS),
  })

/** Why the automatic run stopped is in its incident. */
export const stopQuery = queryOptions({
  queryKey: ['incidentViews', 'rows', 'updates'],
  queryFn: async ({ signal }) =>
    (await call('incidentViews', 'rows', { logtype: '23009', state: 'all', limit: 1 }, signal)).rows[0] ??
    null,
})
