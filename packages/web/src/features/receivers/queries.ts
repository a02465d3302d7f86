import { queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../../api/call.ts'

export type Receivers = AnswerOf<'receiverOverview', 'list'>
export type Receiver = Receivers['receivers'][number]

export const receiversQuery = queryOptions({
  queryKey: ['receiverOverview', 'list'],
  queryFn: ({ signal }) => call('receiverOverview', 'list', {}, signal),
})
