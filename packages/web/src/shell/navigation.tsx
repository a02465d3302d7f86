// Where one can go. On a phone the first ones stand in a bar at the bottom, and the rest behind More.
import { Menu } from '@base-ui/react/menu'
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { links } from '../links.ts'
import { useBell } from '../live/live-provider.tsx'
import { useNotices } from '../live/notices.ts'
import { sessionQuery } from '../session/session-query.ts'
import { count, words } from '../words/en.ts'
import { administrationFor, PLACES, type Place } from './places.ts'
import css from './shell.module.css'

const MORE = 'M3 8h.1M8 8h.1M13 8h.1'

export function Navigation() {
  const { me } = useSuspenseQuery(sessionQuery).data
  const administration = administrationFor(me)
  const rest = [...PLACES.filter(({ isFirst }) => !isFirst), ...administration]
  return (
    <nav aria-label={words.nav.main} className={css['side']}>
      <span className={css['brand']}>
        <img src="/icon.svg" alt="" width="24" height="24" />
        <span>{words.product}</span>
      </span>
      <ToIncidents />
      {PLACES.map((place) => (
        <ToPlace key={place.to} {...place} />
      ))}
      <span className={css['group']}>{words.nav.administration}</span>
      {administration.map((place) => (
        <ToPlace key={place.to} {...place} />
      ))}
      <Menu.Root>
        <Menu.Trigger className={`${css['place']} ${css['more']}`}>
          <Icon drawing={MORE} />
          <span>{words.nav.more}</span>
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={8} side="top" align="end">
            <Menu.Popup className={css['menu']}>
              {rest.map(({ to, name }) => (
                <Menu.Item key={to} className={css['item']} render={<Link to={to}>{name}</Link>} />
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </nav>
  )
}

const Icon = ({ drawing }: Pick<Place, 'drawing'>) => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className={css['icon']}>
    <path
      d={drawing}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
    />
  </svg>
)

function ToPlace({ to, name, drawing, isFirst }: Place) {
  const isHere = useLocation({ select: ({ pathname }) => pathname === to || pathname.startsWith(`${to}/`) })
  return (
    <Link
      to={to}
      className={[css['place'], !isFirst && css['beyond']].filter(Boolean).join(' ')}
      data-active={isHere || undefined}
    >
      <Icon drawing={drawing} />
      <span>{name}</span>
    </Link>
  )
}

/** An incident's page belongs to the inbox. The number is what is open and more than a look. */
function ToIncidents() {
  const isHere = useLocation({ select: ({ pathname }) => /^\/($|incidents(\/|$))/.test(pathname) })
  const open = useQuery(urgentQuery)
  useBell(() => void open.refetch())
  useNotices(open.data?.rows[0], open.isSuccess)
  return (
    <Link to={links.inbox} className={css['place']} data-active={isHere || undefined}>
      <Icon drawing="M2 9 4 3h8l2 6v4H2Zm0 0h3.5a2.5 2.5 0 0 0 5 0H14" />
      <span>{words.nav.incidents}</span>
      {open.data !== undefined && open.data.total > 0 && (
        <span className={css['count']}>
          {count(open.data.total)} <span className="visually-hidden">{words.nav.urgent}</span>
        </span>
      )}
    </Link>
  )
}

const urgentQuery = queryOptions({
  queryKey: ['incidentViews', 'rows', 'urgent'],
  queryFn: ({ signal }) =>
    call('incidentViews', 'rows', { state: 'open', level: 'used,tried', limit: 1 }, signal),
})
