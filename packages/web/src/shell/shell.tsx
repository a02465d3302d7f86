// The frame of every page: where one can go, whether the page is live, and who is signed in.
import { Menu } from '@base-ui/react/menu'
import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { call, onEnded, onVersion } from '../api/call.ts'
import { Button } from '../kit/button.tsx'
import { ErrorBoundary } from '../kit/error-boundary.tsx'
import { areKeysOn, switchKeys } from '../kit/keys.ts'
import { links } from '../links.ts'
import { Connection, NotConnected } from '../live/connection.tsx'
import { LiveProvider, useBell } from '../live/live-provider.tsx'
import { pageHalf } from '../session/page-half.ts'
import { sessionQuery } from '../session/session-query.ts'
import { chooseTheme, chosenTheme, type Theme } from '../theme/theme.ts'
import { count, words } from '../words/en.ts'
import { Search } from './search.tsx'
import { ZoneSwitch } from './zone-switch.tsx'
import css from './shell.module.css'

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
      {!data.signed_in && !isLeaving && (
        <Suspense>
          <SignInAgain email={email} />
        </Suspense>
      )}
    </LiveProvider>
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

const THEMES: readonly Theme[] = ['system', 'dark', 'light']

interface AccountProps {
  readonly email: string | undefined
  readonly onLeave: () => void
}

function Account({ email, onLeave }: AccountProps) {
  const [theme, setTheme] = useState(chosenTheme)
  const [hasKeys, setKeys] = useState(areKeysOn)
  const signOut = async () => {
    onLeave()
    await call('sessions', 'end').catch(() => undefined)
    pageHalf.clear()
    // The next one finds nothing of this one in the page.
    location.assign(links.signIn)
  }
  return (
    <Menu.Root>
      <Menu.Trigger className={css['account']} aria-label={words.account.name}>
        <span aria-hidden="true">{email?.slice(0, 1).toUpperCase()}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={8} align="end">
          <Menu.Popup className={css['menu']}>
            <p className={css['who']}>{email}</p>
            <Menu.RadioGroup
              value={theme}
              onValueChange={(value: Theme) => {
                chooseTheme(value)
                setTheme(value)
              }}
            >
              {THEMES.map((it) => (
                <Menu.RadioItem key={it} value={it} className={css['item']} closeOnClick={false}>
                  {words.account[it]}
                  <Menu.RadioItemIndicator>✓</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className={css['separator']} />
            <Menu.CheckboxItem
              className={css['item']}
              checked={hasKeys}
              onCheckedChange={(is: boolean) => {
                switchKeys(is)
                setKeys(is)
              }}
              closeOnClick={false}
            >
              {words.account.keys}
              <Menu.CheckboxItemIndicator>✓</Menu.CheckboxItemIndicator>
            </Menu.CheckboxItem>
            <Menu.Separator className={css['separator']} />
            <Menu.Item className={css['item']} onClick={() => void signOut()}>
              {words.action.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
