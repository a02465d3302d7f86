import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../../api/call.ts'
import type { DeliveriesSearch } from '../../links.ts'
import { now } from '../../world.ts'

export type Delivery = AnswerOf<'deliveries', 'list'>['deliveries'][number]

/** Epoch seconds of a time that lies so many days back. */
export const sinceDays = (days: string): string => String(Math.floor(now() / 1_000) - Number(days) * 86_400)

export const deliveryListQuery = ({ state, flock, receiver, days }: DeliveriesSearch) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', 'list', 'page', { state, flock, receiver, days }],
    queryFn: ({ pageParam, signal }) =>
      call(
        'deliveries',
        'list',
        pageParam === null
          ? {
              ...(state && { state }),
              ...(flock && { flock_id: flock }),
              ...(receiver && { webhook_id: receiver }),
              ...(days && { since: sinceDays(days) }),
            }
          : { cursor: pageParam },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor.next,
    placeholderData: (before) => before,
  })

export const deliveryQuery = (delivery_id: string) =>
  queryOptions({
    queryKey: ['deliveries', 'fetch', delivery_id],
    queryFn: ({ signal }) => call('deliveries', 'fetch', { delivery_id }, signal),
    retry: false,
  })
