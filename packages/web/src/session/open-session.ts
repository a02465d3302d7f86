import type { QueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { Problem } from '../problem.ts'
import { words } from '../words/en.ts'
import { pageHalf } from './page-half.ts'
import { sessionQuery } from './session-query.ts'

/** Keeps the page's half and reads the session anew. A browser that refused the cookie is told so at once. */
export async function openSession(queries: QueryClient, half: string): Promise<void> {
  pageHalf.write(half)
  const state = await call('sessions', 'read')
  queries.clear()
  queries.setQueryData(sessionQuery.queryKey, state)
  if (!state.signed_in) throw new Problem('no-cookie', words.session.noCookie)
}
