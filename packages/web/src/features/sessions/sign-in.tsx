// Who signs in, comes back to where they were going.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { PageHeading } from '../../kit/page-heading.tsx'
import { Prose } from '../../kit/prose.tsx'
import { links, safePath } from '../../links.ts'
import { sessionQuery } from '../../session/session-query.ts'
import { Brand } from '../../shell/brand.tsx'
import css from '../../shell/outside.module.css'
import { words } from '../../words/en.ts'
import { SignInForm } from './sign-in-form.tsx'

export function SignIn() {
  const { data } = useSuspenseQuery(sessionQuery)
  return (
    <main className={css['outside']}>
      <Brand />
      <PageHeading title={words.session.title} />
      {data.needs_setup ? (
        <NeedsSetup />
      ) : data.console.is_secure ? (
        <Form />
      ) : (
        <Locked url={data.console.https_url} />
      )}
    </main>
  )
}

function Form() {
  const { to } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const { data } = useSuspenseQuery(sessionQuery)
  const isFirst = !data.needs_factor && !data.must_add_factor
  return (
    <>
      {isFirst && <p className={css['lead']}>{words.session.lead}</p>}
      <SignInForm onDone={() => void navigate({ to: safePath(to), replace: true })} />
    </>
  )
}

function NeedsSetup() {
  return (
    <>
      <p>
        <strong>{words.session.needsSetup}</strong>
      </p>
      <p className={css['lead']}>
        <Prose text={words.session.needsSetupHow} />
      </p>
    </>
  )
}

function Locked({ url }: { readonly url: string | null }) {
  return (
    <>
      <p role="alert">
        <strong>{words.session.locked}</strong>
      </p>
      <p className={css['lead']}>{words.session.lockedHow(url)}</p>
      {url !== null && (
        <p>
          <a href={links.https(url)}>{url}</a>
        </p>
      )}
    </>
  )
}
