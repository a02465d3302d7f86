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
  // Where a session ended, its page stays as it is: the dialog over it asks to sign in again.
  if (!me || me.access_level === 'admin') return undefined
  const [method, , role, reach] = operations[group][name] as unknown as readonly [
    string,
    string,
    string,
    string,
  ]
  if (reach === 'console') return words.may.adminsOnly
  if (method === 'GET' && role !== 'admin') return undefined
  const managed = me.managed_flocks
  if (managed.length === 0) return words.may.managersOnly
  return flocks?.every((id) => managed.includes(id)) === false ? words.may.notThere : undefined
}

/** Whether this person may change something of a Flock. */
export function useManages(): (flockId: string) => boolean {
  const { me } = useSuspenseQuery(sessionQuery).data
  return (id) => me?.access_level !== 'user' || me.managed_flocks.includes(id)
}

/** The Flock that a form begins with: the default one, or the first that this person manages. */
export function useFirstFlock(): string {
  const { me } = useSuspenseQuery(sessionQuery).data
  const managed = me?.access_level === 'user' ? me.managed_flocks : []
  return managed.includes(DEFAULT_FLOCK) ? DEFAULT_FLOCK : (managed[0] ?? DEFAULT_FLOCK)
}

const DEFAULT_FLOCK = 'flock:default'

export const useWhyNot = <G extends GroupName>(group: G, name: Name<G>, flocks?: readonly string[]) =>
  whyNot(useSuspenseQuery(sessionQuery).data.me, group, name, flocks)
