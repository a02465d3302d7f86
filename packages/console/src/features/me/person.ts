import { Fault } from '@rookery/kernel/fault.ts'
import type { Call } from '../../http/call.ts'
import type { Person } from '../../http/person.ts'

/** Who asks; operations of the role `person` are called by nobody else. */
export function signedInPerson({ caller: { person } }: Call): Person {
  if (person) return person
  throw new Fault('unauthenticated', 'Nobody is signed in.')
}
