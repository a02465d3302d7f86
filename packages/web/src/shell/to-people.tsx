// A place of the navigation that admins alone have: others may not read the page.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { whyNot } from '../can.ts'
import { links } from '../links.ts'
import { sessionQuery } from '../session/session-query.ts'
import { words } from '../words/en.ts'
import css from './shell.module.css'

export function ToPeople() {
  const { me } = useSuspenseQuery(sessionQuery).data
  if (!me || whyNot(me, 'users', 'list') !== undefined) return null
  return (
    <Link to={links.people} className={css['place']} activeProps={{ 'data-active': true }}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className={css['icon']}>
        <path
          d="M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-4.5 6a4.5 4.5 0 0 1 9 0M10.500 3.300a2.500 2.500 0 0 1 0 4.400M12 10a4.500 4.500 0 0 1 2.500 4"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinecap="round"
        />
      </svg>
      <span>{words.nav.people}</span>
    </Link>
  )
}
