// May this person call that operation here? From the table of operations and the session; the console decides in the end.
import { useSuspenseQuery } from '@tanstack/react-query'
import type { GroupName, Name } from './api/call.ts'
import { operations } from './operations.gen.ts'
import { sessionQuery, type SessionState } from './session/session-query.ts'
import { words } from './words/en.ts'

type Me = SessionState['me']

/** Why not; undefined if they may. `flocks` are those that the call is about; without them one that they manage is enough. */
export function whyNot<G extends GroupName>(
  me: Me,
  group: G,
  name: Name<G>,
  flocks?: readonly string[],
): string | undefined {
  if (me?.access_level === 'admin') return undefined
  const [method, , role, reach] = operations[group][name] as unknown as readonly [
    string,
    string,
    string,
    string,
  ]
  if (reach === 'console') return words.may.adminsOnly
  if (method === 'GET' && role !== 'admin') return undefined
  const managed = me?.managed_flocks ?? []
  if (managed.length === 0) return words.may.managersOnly
  return flocks?.every((id) => managed.includes(id)) === false ? words.may.notThere : undefined
}

export const useWhyNot = <G extends GroupName>(group: G, name: Name<G>, flocks?: readonly string[]) =>
  whyNot(useSuspenseQuery(sessionQuery).data.me, group, name, flocks)
