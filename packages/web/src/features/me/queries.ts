import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const factorsQuery = queryOptions({
  queryKey: ['me', 'factors'],
  queryFn: ({ signal }) => call('me', 'factors', {}, signal),
})

export const sessionsQuery = queryOptions({
  queryKey: ['me', 'sessions'],
  queryFn: ({ signal }) => call('me', 'sessions', {}, signal),
})
