import { queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../../api/call.ts'

export type User = AnswerOf<'users', 'list'>['users'][number]
export type PersonLink = AnswerOf<'users', 'invite'>

export const usersQuery = queryOptions({
  queryKey: ['users', 'list'],
  queryFn: ({ signal }) => call('users', 'list', {}, signal),
})

export const flocksQuery = queryOptions({
  queryKey: ['flocks', 'list'],
  queryFn: ({ signal }) => call('flocks', 'list', {}, signal),
})
