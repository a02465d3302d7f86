// Settings of the console. What is set when it starts says with which option; the rest is changed here.
import { Link, useParams } from '@tanstack/react-router'
import { useWhyNot } from '../../can.ts'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import tabs from '../bird/bird.module.css'
import { About } from './about.tsx'
import { General } from './general.tsx'
import { Integrations } from './integrations.tsx'
import css from './settings.module.css'
import { SignIn } from './sign-in.tsx'
import { settingsWords as said } from './words.ts'

const TABS = ['general', 'sign-in', 'integrations', 'about'] as const

export function SettingsPage() {
  const params = useParams({ strict: false })
  const reason = useWhyNot('consoleSettings', 'read')
  // Everybody may know what they use.
  const tab = TABS.find((it) => it === params.tab) ?? (reason === undefined ? 'general' : 'about')
  return (
    <div className={css['page']}>
      <PageHeading title={said.title} />
      <nav className={tabs['tabs']} aria-label={said.title}>
        {TABS.map((it) => (
          <Link
            key={it}
            to="/settings/$tab"
            params={{ tab: it }}
            aria-current={it === tab ? 'page' : undefined}
          >
            {said.tabs[it]}
          </Link>
        ))}
      </nav>
      <ErrorBoundary key={tab}>
        {tab === 'about' ? (
          <About />
        ) : reason !== undefined ? (
          <p>{reason}</p>
        ) : tab === 'general' ? (
          <General />
        ) : tab === 'sign-in' ? (
          <SignIn />
        ) : (
          <Integrations />
        )}
      </ErrorBoundary>
    </div>
  )
}
