// Who is signed in, and what they may do, as the session operations answer it.
import type { Person } from './person.ts'

export const shownMe = ({
  userId,
  email,
  accessLevel,
  managed,
  watched,
}: Omit<Person, 'sessionId' | 'lacks' | 'isProven'>) => ({
  user_id: userId,
  email,
  access_level: accessLevel,
  managed_flocks: [...managed],
  watched_flocks: [...watched],
})
