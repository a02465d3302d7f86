import { queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../../api/call.ts'
import { secondsOf } from '../../kit/age.tsx'
import { now } from '../../world.ts'

export type Key = AnswerOf<'apiKeys', 'list'>['global_api_keys'][number]

export const keysQuery = queryOptions({
  queryKey: ['apiKeys', 'list'],
  queryFn: ({ signal }) => call('apiKeys', 'list', {}, signal),
})

export const settingsQuery = queryOptions({
  queryKey: ['consoleSettings', 'read'],
  queryFn: ({ signal }) => call('consoleSettings', 'read', {}, signal),
})

export const isExpired = ({ expires }: Key): boolean => expires !== '' && secondsOf(expires) * 1_000 <= now()
