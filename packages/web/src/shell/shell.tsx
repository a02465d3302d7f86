// The frame of every page: where one can go, whether the page is live, and who is signed in.
import { Menu } from '@base-ui/react/menu'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call, onVersion } from '../api/call.ts'
import { Button } from '../kit/button.tsx'
import { ErrorBoundary } from '../kit/error-boundary.tsx'
import { links } from '../links.ts'
import { LiveProvider } from '../live/live-provider.tsx'
import { Connection } from '../live/connection.tsx'
import { pageHalf } from '../session/page-half.ts'
import { sessionQuery } from '../session/session-query.ts'
import { chooseTheme, chosenTheme, type Theme } from '../theme/theme.ts'
import { words } from '../words/en.ts'
import css from './shell.module.css'

export function Shell() {
  return (
    <LiveProvider>
      <a className={css['skip']} href="#content">
        {words.nav.skip}
      </a>
      <div className={css['shell']}>
        <nav aria-label={words.nav.main} className={css['side']}>
          <span className={css['brand']}>
            <img src="/icon.svg" alt="" width="24" height="24" />
            <span>{words.product}</span>
          </span>
          <Link to={links.inbox} className={css['place']} activeProps={{ 'data-active': true }}>
            {words.nav.incidents}
          </Link>
        </nav>
        <header className={css['top']}>
          <Reload />
          <Connection />
          <Account />
        </header>
        <main id="content" className={css['content']}>
          <ErrorBoundary>
            <Outlet />
          </ErrorBoundary>
        </main>
      </div>
    </LiveProvider>
  )
}

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

function Account() {
  const { data } = useSuspenseQuery(sessionQuery)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [theme, setTheme] = useState(chosenTheme)
  const signOut = async () => {
    await call('sessions', 'end').catch(() => undefined)
    pageHalf.clear()
    queries.clear()
    await navigate({ to: links.signIn, search: {} })
  }
  return (
    <Menu.Root>
      <Menu.Trigger className={css['account']} aria-label={words.account.name}>
        <span aria-hidden="true">{data.me?.email.slice(0, 1).toUpperCase()}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={8} align="end">
          <Menu.Popup className={css['menu']}>
            <p className={css['who']}>{data.me?.email}</p>
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
            <Menu.Item className={css['item']} onClick={() => void signOut()}>
              {words.action.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
