import { queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../../api/call.ts'

export type Receivers = AnswerOf<'receiverOverview', 'list'>
export type Receiver = Receivers['receivers'][number]
export type ReceiverKind = AnswerOf<'receiverOverview', 'kinds'>['kinds'][number]
export type FormField = NonNullable<ReceiverKind['add']>['fields'][number]

/** In place of a Flock's id: alerts of every Flock. */
export const EVERYWHERE = 'console'

export const receiversQuery = queryOptions({
  queryKey: ['receiverOverview', 'list'],
  queryFn: ({ signal }) => call('receiverOverview', 'list', {}, signal),
})

export const receiverKindsQuery = queryOptions({
  queryKey: ['receiverOverview', 'kinds'],
  queryFn: async ({ signal }) => (await call('receiverOverview', 'kinds', {}, signal)).kinds,
  staleTime: Infinity,
})

/** The recipients of each list, as they are set now. */
export const recipientsQuery = (owner: string) =>
  queryOptions({
    queryKey: ['notifications', 'info', owner],
    queryFn: async ({ signal }) => {
      const { notification_info: info } =
        owner === EVERYWHERE
          ? await call('consoleNotifications', 'info', {}, signal)
          : await call('flockNotifications', 'info', { flock_id: owner }, signal)
      return info as Readonly<Record<string, Readonly<Record<string, unknown>>>>
    },
  })
