// How the person wants the page: kept by the console, so that every browser of theirs shows it; this browser keeps a copy for
// the first paint.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call, type AnswerOf, type ParamsOf } from '../api/call.ts'
import { areKeysOn, switchKeys } from '../kit/keys.ts'
import { chosenZone, chooseZone } from '../kit/zone.ts'
import { chooseTheme, chosenTheme } from '../theme/theme.ts'

type Preferences = AnswerOf<'me', 'preferences'>

const preferencesQuery = queryOptions({
  queryKey: ['me', 'preferences'],
  queryFn: ({ signal }) => call('me', 'preferences', {}, signal),
  staleTime: Infinity,
})

const ofBrowser = (): Pick<Preferences, 'theme' | 'zone' | 'keys'> => ({
  theme: chosenTheme(),
  zone: chosenZone(),
  keys: areKeysOn(),
})

function apply({ theme, zone, keys }: Pick<Preferences, 'theme' | 'zone' | 'keys'>): void {
  chooseTheme(theme)
  chooseZone(zone)
  switchKeys(keys)
}

/** `prefer` acts at once, and is taken back where the console refuses it. */
export function usePreferences() {
  const queries = useQueryClient()
  const { data } = useQuery(preferencesQuery)
  useEffect(() => {
    if (data) apply(data)
  }, [data])
  const preferences = data ?? ofBrowser()
  const prefer = async (change: ParamsOf<'me', 'prefer'>): Promise<void> => {
    const now = { ...preferences, ...change } as Preferences
    queries.setQueryData(preferencesQuery.queryKey, now)
    try {
      await call('me', 'prefer', change)
    } catch (error) {
      queries.setQueryData(preferencesQuery.queryKey, data)
      throw error
    }
  }
  return { preferences, prefer }
}
