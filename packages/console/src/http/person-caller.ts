// A person as a caller: an admin is one of the whole console; others read the Flocks that they manage or watch, and change
// those that they manage. Whose session lacks a second factor reaches nothing.
import type { Operation } from '@rookery/contract/operation.ts'
import type { Caller } from './call.ts'
import type { Person } from './person.ts'

/** The id of no Flock: PostgreSQL has no empty list behind IN. */
const NOWHERE = ['flock:none']

/** `askedFlock` is the parameter `flock_id`, as it came. */
export function personCaller(
  person: Person,
  { method, role }: Pick<Operation, 'method' | 'role'>,
  askedFlock: unknown,
): Caller {
  const { email: keyId, accessLevel, managed, watched, lacks } = person
  if (lacks !== 'nothing') return { keyId, person, type: 'decoytoken-deploy', scope: [] }
  if (accessLevel === 'admin') return { keyId, person, type: 'admin', scope: 'all' }
  // What a read hides from all but admins, such as the address of a receiver, a manager sees of the Flock that is named.
  const needsManager = method !== 'GET' || role === 'admin' || role === 'factory'
  if (managed.length > 0 && (needsManager || managed.some((id) => id === askedFlock)))
    return { keyId, person, type: 'admin', scope: managed }
  const flocks = [...managed, ...watched]
  return { keyId, person, type: 'read-only', scope: flocks.length > 0 ? flocks : NOWHERE }
}
