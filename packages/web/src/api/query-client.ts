// How the page asks: a refused call is not asked again, one that found no console is. A session that ended is noticed here.
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { Problem } from '../problem.ts'
import { sessionQuery } from '../session/session-query.ts'

export function openQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: noticeEnd }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 3 && error instanceof Problem && error.code === 'not-connected',
      },
    },
  })
  function noticeEnd(error: unknown): void {
    if (error instanceof Problem && error.code === 'unauthenticated')
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  return client
}
