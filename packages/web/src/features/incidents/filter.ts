// From the inbox's address to the parameters of `incidents/rows` and of bulk actions.
import type { ParamsOf } from '../../api/call.ts'
import { exactTime, secondsOf } from '../../kit/age.tsx'
import type { InboxSearch } from '../../links.ts'
import type { Zone } from '../../me/preferences.ts'
import { words } from '../../words/en.ts'

export type RowsParams = NonNullable<ParamsOf<'incidentViews', 'rows'>>

/** The filter without what is only shown (the peek). */
export function rowsParams({
  state,
  level,
  flock,
  bird,
  token,
  source,
  type,
  q,
  from,
  to,
}: InboxSearch): RowsParams {
  return {
    state: state ?? 'open',
    ...(level && { level }),
    ...(flock && { flock_id: flock }),
    ...(bird && { node_id: bird }),
    ...(token && { decoytoken: token }),
    ...(source && { source }),
    ...(type && { logtype: type }),
    ...(q && { filter_str: q }),
    ...(from && { newer_than: from }),
    ...(to && { older_than: to }),
  }
}

/** Open incidents fold; those of one source would be one line, and a bulk action takes a Bird or a source, not both. */
export const canFold = ({ state = 'open', source = '!', bird, token }: InboxSearch): boolean =>
  state === 'open' && /[!/]/.test(source) && bird === undefined && token === undefined

/** The same filter for a bulk action; one that selects all says so by an age of nothing. */
export function bulkParams(search: InboxSearch) {
  const { level, flock, bird, token, source, type, q, from, to } = search
  return {
    older_than: to ?? '0h',
    ...(from && { newer_than: from }),
    ...(level && { level }),
    ...(flock && { flock_id: flock }),
    ...((bird ?? token) && { node_id: bird ?? token }),
    ...(source && { src_host: source }),
    ...(type && { filter_logtypes: type }),
    ...(q && { filter_str: q }),
    keys: false,
  }
}

/** What narrows the list, but the tab. */
export const filtersOf = (search: InboxSearch): [keyof InboxSearch, string][] =>
  (['level', 'flock', 'bird', 'token', 'source', 'type', 'q', 'from', 'to'] as const).flatMap((key) =>
    search[key] === undefined ? [] : [[key, search[key]]],
  )

/** The filter in words, for those who are about to change all that it matches. */
export function filterInWords(search: InboxSearch, zone: Zone): string {
  const { state, ...others } = search
  const filters = filtersOf(others).map(([key, value]) =>
    key === 'source' && value.startsWith('!')
      ? words.inbox.notSource(value.slice(1))
      : words.inbox.filterIs(
          words.inbox.filters[key as keyof typeof words.inbox.filters],
          key === 'from' || key === 'to' ? exactTime(secondsOf(value), zone) : value,
        ),
  )
  return [words.inbox.tabs[state ?? 'open'], ...filters].join(', ')
}
