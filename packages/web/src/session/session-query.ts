import { queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../api/call.ts'

export type SessionState = AnswerOf<'sessions', 'read'>

export const sessionQuery = queryOptions({
  queryKey: ['sessions', 'read'],
  queryFn: ({ signal }) => call('sessions', 'read', {}, signal),
  staleTime: Infinity,
})
