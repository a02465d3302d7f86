import { queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../../api/call.ts'

export type User = AnswerOf<'users', 'list'>['users'][number]
/** A link that was just made, and for whom. */
export interface Made {
  readonly email: string
  readonly link: AnswerOf<'users', 'invite'>
}

export const usersQuery = queryOptions({
  queryKey: ['users', 'list'],
  queryFn: ({ signal }) => call('users', 'list', {}, signal),
})

export const flocksQuery = queryOptions({
  queryKey: ['flocks', 'list'],
  queryFn: ({ signal }) => call('flocks', 'list', {}, signal),
})
