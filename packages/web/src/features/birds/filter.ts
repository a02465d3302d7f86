// The filter of the list of Birds stands in its address.
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { parseSearch } from '../../links.ts'

export const STATES = ['live', 'offline', 'never_seen', 'settings_failed'] as const

export interface BirdsSearch {
  readonly state?: (typeof STATES)[number]
  readonly flock?: string
  readonly q?: string
}

const RULES: Readonly<Record<keyof BirdsSearch, RegExp>> = {
  state: /^(live|offline|never_seen|settings_failed)$/,
  flock: /^[\w:.-]{1,64}$/,
  q: /^[^]{1,255}$/,
}
const KEYS = Object.keys(RULES) as (keyof BirdsSearch)[]

/** What the address says, and the values of it that were left out. */
export function readBirdsSearch(given: Readonly<Record<string, unknown>>): {
  readonly search: BirdsSearch
  readonly ignored: readonly string[]
} {
  const values = KEYS.map((key) => [key, [given[key]].flat().at(-1)] as const)
  const isRight = (key: keyof BirdsSearch, value: unknown) =>
    typeof value === 'string' && RULES[key].test(value)
  return {
    search: Object.fromEntries(values.filter(([key, value]) => isRight(key, value))) as BirdsSearch,
    ignored: values
      .filter(([key, value]) => typeof value === 'string' && value !== '' && !isRight(key, value))
      .map(([, value]) => String(value)),
  }
}

export function useBirdsAddress() {
  const navigate = useNavigate()
  const searchStr = useLocation({ select: (it) => it.searchStr })
  const read = useMemo(() => readBirdsSearch(parseSearch(searchStr)), [searchStr])
  const change = useCallback(
    (next: { readonly [K in keyof BirdsSearch]?: string }) =>
      void navigate({
        to: '/birds',
        search: (before) => ({ ...readBirdsSearch(before).search, ...next }) as BirdsSearch,
        replace: true,
      }),
    [navigate],
  )
  return { ...read, change }
}
