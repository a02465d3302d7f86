// Asks anew for what the page shows, once somebody changed anything, here or at another console: at once, and then once a second.
import type { Query, QueryClient } from '@tanstack/react-query'

const PAUSE_MS = 1_000

/** Incidents have a bell of their own, pages that were read on stay, and what the console's version settles does not change. */
const isLive = ({ queryKey, state, observers }: Query): boolean =>
  !/^incident/.test(String(queryKey[0])) &&
  ((state.data as { readonly pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0) <= 1 &&
  observers.every(({ options }) => options.staleTime !== Infinity)

export interface Refresher {
  readonly refresh: () => void
  readonly stop: () => void
}

export function refresher(queries: QueryClient, predicate = isLive): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  const refresh = (): void => {
    isWanted = timer !== undefined
    if (isWanted) return
    void queries.refetchQueries({ type: 'active', predicate }, { cancelRefetch: false })
    timer = setTimeout(() => {
      timer = undefined
      if (isWanted) refresh()
    }, PAUSE_MS)
  }
  return { refresh, stop: () => clearTimeout(timer) }
}
