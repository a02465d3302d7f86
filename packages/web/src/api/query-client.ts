// How the page asks: a refused call is not asked again, one that found no console is.
import { QueryClient } from '@tanstack/react-query'
import { Problem } from '../problem.ts'

export const openQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // The page says itself what the connection is like.
        networkMode: 'always',
        retry: (failures, error) =>
          failures < 3 && error instanceof Problem && error.code === 'not-connected',
      },
    },
  })
