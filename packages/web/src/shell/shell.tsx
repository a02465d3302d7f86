// The frame of every page: where one can go, whether the page is live, and who is signed in.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { onEnded, onVersion } from '../api/call.ts'
import { Button } from '../kit/button.tsx'
import { ErrorBoundary } from '../kit/error-boundary.tsx'
import { Connection, NotConnected } from '../live/connection.tsx'
import { LiveProvider } from '../live/live-provider.tsx'
import { PaletteOpener } from '../palette/opener.tsx'
import { sessionQuery } from '../session/session-query.ts'
import { words } from '../words/en.ts'
import { Account } from './account.tsx'
import { Search } from './search.tsx'
import { ZoneSwitch } from './zone-switch.tsx'
import { Navigation } from './navigation.tsx'
import { PageKeys } from './page-keys.tsx'
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
        <Navigation />
        <header className={css['top']}>
          <Search />
          <PaletteOpener />
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
      <PageKeys />
      <StepUp />
      {!data.signed_in && !isLeaving && (
        <Suspense>
          <SignInAgain email={email} />
        </Suspense>
      )}
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
