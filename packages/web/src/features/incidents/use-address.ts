// The inbox's state stands in the address.
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { ignoredOf, parseSearch, readInboxSearch, type InboxSearch } from '../../links.ts'

/** Parameters to set; an empty text takes one away. */
export type Change = Partial<Record<keyof InboxSearch, string>>

/** What the address says, what of it was left out, and how to change it. */
export function useAddress() {
  const navigate = useNavigate()
  const searchStr = useLocation({ select: (it) => it.searchStr })
  const search = useMemo(() => readInboxSearch(parseSearch(searchStr)), [searchStr])
  const ignored = useMemo(() => ignoredOf(parseSearch(searchStr)), [searchStr])
  const change = useCallback(
    (next: Change) =>
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => ({ ...readInboxSearch(before), ...next }) as InboxSearch,
        replace: true,
      }),
    [navigate],
  )
  const open = useCallback(
    (hash: string) => void navigate({ to: '/incidents/$hash', params: { hash } }),
    [navigate],
  )
  return { search, ignored, change, open }
}
