import { queryOptions } from '@tanstack/react-query'
import { call, type AnswerOf } from '../../api/call.ts'

export type Rule = AnswerOf<'ignoreRules', 'ofIncident'>['rules'][number]
export type WrongLine = AnswerOf<'ignoreRules', 'check'>['wrong'][number]
export type ConsoleList = keyof AnswerOf<'consoleIgnoreLists', 'all'>['ignore_lists']

export const rulesQuery = (hash: string) =>
  queryOptions({
    queryKey: ['ignoreRules', 'ofIncident', hash],
    queryFn: ({ signal }) => call('ignoreRules', 'ofIncident', { hash_id: hash }, signal),
    staleTime: 0,
  })

export const consoleListsQuery = queryOptions({
  queryKey: ['consoleIgnoreLists', 'all'],
  queryFn: async ({ signal }) => (await call('consoleIgnoreLists', 'all', {}, signal)).ignore_lists,
})

export const flockListQuery = (flock_id: string) =>
  queryOptions({
    queryKey: ['flockIgnoreLists', 'list', flock_id],
    queryFn: async ({ signal }) => {
      const [{ whitelist }, { is_global }, { is_enabled }, { whitelisting_info: info }] = await Promise.all([
        call('flockIgnoreLists', 'asText', { flock_id }, signal),
        call('flockIgnoreLists', 'isGlobal', { flock_id }, signal),
        call('flockIgnoreLists', 'isEnabled', { flock_id }, signal),
        call('flockIgnoreLists', 'info', { flock_id }, signal),
      ])
      const mode = is_global ? 'global' : is_enabled ? 'on' : 'off'
      return { text: apart(whitelist), mode, inherits: info.inherit_global_whitelist_ips } as const
    },
  })

export const ignoredQuery = queryOptions({
  queryKey: ['ignoredTouches', 'list'],
  queryFn: async ({ signal }) => (await call('ignoredTouches', 'list', {}, signal)).ignored_touches,
})

/** Entries that commas separate, one on each line; a comment stays with its entry. */
export const apart = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) => {
      const at = line.indexOf('#')
      const entries = (at < 0 ? line : line.slice(0, at)).split(',').map((entry) => entry.trim())
      const last = entries.pop() ?? ''
      return [...entries, at < 0 ? last : `${last} ${line.slice(at)}`.trim()]
    })
    .filter(Boolean)
    .join('\n')
