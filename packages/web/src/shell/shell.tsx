// The frame of every page: where one can go, whether the page is live, and who is signed in.
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { call, onEnded, onVersion } from '../api/call.ts'
import { Button } from '../kit/button.tsx'
import { ErrorBoundary } from '../kit/error-boundary.tsx'
import { links } from '../links.ts'
import { Connection, NotConnected } from '../live/connection.tsx'
import { LiveProvider, useBell } from '../live/live-provider.tsx'
import { sessionQuery } from '../session/session-query.ts'
import { count, words } from '../words/en.ts'
import { Account } from './account.tsx'
import { Search } from './search.tsx'
import { ZoneSwitch } from './zone-switch.tsx'
import css from './shell.module.css'
import { StepUp } from './step-up.tsx'

const SignInAgain = lazy(async () => ({
  default: (await import('../features/sessions/sign-in-again.tsx')).SignInAgain,
}))

export function Shell() {
  const { data } = useSuspenseQuery(sessionQuery)
  const queries = useQueryClient()
  const [email] = useState(data.me?.email)
  const [isLeaving, setLeaving] = useState(false)
  useEffect(
    () => onEnded(() => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })),
    [queries],
  )
  return (
    <LiveProvider isSignedIn={data.signed_in}>
      <a className={css['skip']} href="#content">
        {words.nav.skip}
      </a>
      <div className={css['shell']}>
        <nav aria-label={words.nav.main} className={css['side']}>
          <span className={css['brand']}>
            <img src="/icon.svg" alt="" width="24" height="24" />
            <span>{words.product}</span>
          </span>
          <ToIncidents />
          <Place to={links.birds} name={words.nav.birds} drawing={BIRD} />
          <Place to={links.flocks} name={words.nav.flocks} drawing={FLOCK} />
          <Place to={links.tokens} name={words.nav.tokens} drawing={TOKEN} />
        </nav>
        <header className={css['top']}>
          <Search />
          <Reload />
          <Connection />
          <ZoneSwitch />
          <Account email={email} onLeave={() => setLeaving(true)} />
        </header>
        <main id="content" tabIndex={-1} className={css['content']}>
          <NotConnected />
          <div className={css['page']}>
            <ErrorBoundary>
              <Outlet />
            </ErrorBoundary>
          </div>
        </main>
      </div>
      <StepUp />
      {!data.signed_in && !isLeaving && (
        <Suspense>
          <SignInAgain email={email} />
        </Suspense>
      )}
    </LiveProvider>
  )
}

const BIRD = 'M2 11c4 3 9 2 10-3l2-2-2.5-.5A3 3 0 0 0 6 6c0 2-1 4-4 5Zm3 1.5L4 15m5-2 .5 2'
const FLOCK = 'M2 4c1.5 0 2 1 2 2 0-1 .5-2 2-2m2 3c1.5 0 2 1 2 2 0-1 .5-2 2-2M3 10c1.5 0 2 1 2 2 0-1 .5-2 2-2'
const TOKEN = 'M10.5 9.5a4 4 0 1 0-3.9-3L2 11v3h3v-2h2v-2h1.5ZM11.5 4.6v.1'

interface PlaceProps {
  readonly to: typeof links.birds | typeof links.flocks | typeof links.tokens
  readonly name: string
  /** The path of its icon, which stands alone where the navigation is narrow. */
  readonly drawing: string
}

function Place({ to, name, drawing }: PlaceProps) {
  const isHere = useLocation({ select: ({ pathname }) => pathname === to || pathname.startsWith(`${to}/`) })
  return (
    <Link to={to} className={css['place']} data-active={isHere || undefined}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className={css['icon']}>
        <path d={drawing} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
      </svg>
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
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className={css['icon']}>
        <path
          d="M2 9 4 3h8l2 6v4H2Zm0 0h3.5a2.5 2.5 0 0 0 5 0H14"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
      </svg>
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

/** Offers to reload when another version of the console answers than the one this page came from. */
function Reload() {
  const { data } = useSuspenseQuery(sessionQuery)
  const [isOld, setOld] = useState(false)
  useEffect(() => onVersion((version) => setOld(version !== data.console.version)), [data.console.version])
  if (!isOld) return null
  return (
    <p role="status" className={css['reload']}>
      {words.reload} <Button onClick={() => location.reload()}>{words.action.reload}</Button>
    </p>
  )
}
