import { queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../../api/call.ts'

export type Incident = AnswerOf<'incidentQueries', 'fetch'>['incident']
export type StoredEvent = AnswerOf<'incidentViews', 'events'>['events'][number]
export type Logtype = AnswerOf<'incidentViews', 'logtypes'>['logtypes'][string]

/** The incident with its newest events; what a page shows first. */
const EVENTS_SHOWN = 20

export const incidentQuery = (hash: string) =>
  queryOptions({
    queryKey: ['incidentQueries', 'fetch', hash],
    queryFn: ({ signal }) =>
      call(
        'incidentQueries',
        'fetch',
        { hash_id: hash, extended_details: true, event_limit: EVENTS_SHOWN },
        signal,
      ),
    retry: false,
  })

export const eventsQuery = (hash: string) =>
  queryOptions({
    queryKey: ['incidentViews', 'events', hash],
    queryFn: ({ signal }) => call('incidentViews', 'events', { hash_id: hash, limit: 1_000 }, signal),
  })

export const logtypesQuery = queryOptions({
  queryKey: ['incidentViews', 'logtypes'],
  queryFn: ({ signal }) => call('incidentViews', 'logtypes', {}, signal),
  staleTime: Infinity,
})

export const deliveriesQuery = (key: string) =>
  queryOptions({
    queryKey: ['deliveries', 'list', key],
    queryFn: ({ signal }) => call('deliveries', 'list', { incident: key, limit: 100 }, signal),
  })
