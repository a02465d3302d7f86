import type { QueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { Problem } from '../problem.ts'
import { words } from '../words/en.ts'
import { pageHalf } from './page-half.ts'
import { sessionQuery, type SessionState } from './session-query.ts'

/**
 * Keeps the page's half and reads the session anew, which may still lack its second factor. A browser that refused the cookie
 * learns so at once.
 */
export async function openSession(queries: QueryClient, half: string): Promise<SessionState> {
  pageHalf.write(half)
  const state = await call('sessions', 'read')
  const isThere = state.signed_in || state.needs_factor || state.must_add_factor
  if (!isThere) throw new Problem('no-cookie', words.session.noCookie)
  queries.setQueryData(sessionQuery.queryKey, state)
  if (!state.signed_in) return state
  // What another person saw is not shown to this one.
  queries.removeQueries({
    predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0],
    type: 'inactive',
  })
  // A ticket is read by nobody in particular, and the one that led here is used up.
  await queries.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] && queryKey[0] !== 'tickets',
  })
  return state
}
