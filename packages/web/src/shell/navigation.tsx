// Where one can go. On a phone the first ones stand in a bar at the bottom, and the rest behind More.
import { Menu } from '@base-ui/react/menu'
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { whyNot } from '../can.ts'
import { links } from '../links.ts'
import { useBell } from '../live/live-provider.tsx'
import { sessionQuery } from '../session/session-query.ts'
import { count, words } from '../words/en.ts'
import css from './shell.module.css'

interface Place {
  readonly to: (typeof links)[
    | 'birds'
    | 'flocks'
    | 'tokens'
    | 'overview'
    | 'receivers'
    | 'ignore'
    | 'people'
    | 'audit'
    | 'keys'
    | 'settings']
  readonly name: string
  /** The path of its icon, which stands alone where the navigation is narrow. */
  readonly drawing: string
  /** It stands in the bar of a phone, which has room for three next to the incidents. */
  readonly isFirst?: true
}

const PLACES: readonly Place[] = [
  { to: links.overview, name: words.nav.overview, drawing: 'M2 14h12M4 11V8m4 3V3m4 8V6' },
  {
    to: links.birds,
    name: words.nav.birds,
    drawing: 'M2 11c4 3 9 2 10-3l2-2-2.5-.5A3 3 0 0 0 6 6c0 2-1 4-4 5Zm3 1.5L4 15m5-2 .5 2',
    isFirst: true,
  },
  {
    to: links.tokens,
    name: words.nav.tokens,
    drawing: 'M10.5 9.5a4 4 0 1 0-3.9-3L2 11v3h3v-2h2v-2h1.5ZM11.5 4.6v.1',
    isFirst: true,
  },
  {
    to: links.flocks,
    name: words.nav.flocks,
    drawing: 'M2 4c1.5 0 2 1 2 2 0-1 .5-2 2-2m2 3c1.5 0 2 1 2 2 0-1 .5-2 2-2M3 10c1.5 0 2 1 2 2 0-1 .5-2 2-2',
  },
  {
    to: links.receivers,
    name: words.nav.receivers,
    drawing: 'M3.5 12h9L11 10V7a3 3 0 0 0-6 0v3Zm3 2h3M8 4V2',
  },
  {
    to: links.ignore,
    name: words.nav.ignore,
    drawing: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM4.2 4.2l7.6 7.6',
  },
]
const ADMINISTRATION: readonly Place[] = [
  {
    to: links.people,
    name: words.nav.people,
    drawing:
      'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-4.5 6a4.5 4.5 0 0 1 9 0M10.5 3.3a2.5 2.5 0 0 1 0 4.4M12 10a4.5 4.5 0 0 1 2.5 4',
  },
  {
    to: links.keys,
    name: words.nav.keys,
    drawing: 'M9.5 6.5a3 3 0 1 0-2.6 3L9 11.5h2V9.5l-1.6-1.6M5.4 5.9v.1M11 11.5v2h2.5v-2.4L9.7 7.3',
  },
  { to: links.audit, name: words.nav.audit, drawing: 'M4 2h8v12H4Zm2 3h4M6 8h4m-4 3h2' },
  {
    to: links.settings,
    name: words.nav.settings,
    drawing: 'M2 4.5h6m4 0h2M2 11.5h2m4 0h6M10 3v3M6 10v3',
  },
]
const MORE = 'M3 8h.1M8 8h.1M13 8h.1'

export function Navigation() {
  const { me } = useSuspenseQuery(sessionQuery).data
  // Who may not read the pages of people and keys has no link to them.
  const mayRead = whyNot(me, 'users', 'list') === undefined
  const administration = ADMINISTRATION.filter(
    ({ to }) => (to !== links.people && to !== links.keys) || mayRead,
  )
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
