import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { safePath } from '../../links.ts'
import { Problem } from '../../problem.ts'
import { openSession } from '../../session/open-session.ts'
import { sessionQuery } from '../../session/session-query.ts'
import { Brand } from '../../shell/brand.tsx'
import css from '../../shell/outside.module.css'
import { words } from '../../words/en.ts'

export function SignIn() {
  const { data } = useSuspenseQuery(sessionQuery)
  return (
    <main className={css['outside']}>
      <Brand />
      <PageHeading title={words.session.title} />
      {data.needs_setup ? <NeedsSetup /> : data.console.is_secure ? <Form /> : <Locked url={data.console.https_url} />}
    </main>
  )
}

function Form() {
  const { to } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setProblem(undefined)
    try {
      const answer = await call('sessions', 'password', {
        email: String(form.get('email')),
        password: String(form.get('password')),
      })
      await openSession(queries, answer.page_half)
      await navigate({ to: safePath(to), replace: true })
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const isWrong = problem instanceof Problem && problem.code === 'unauthenticated'
  return (
    <form className={css['form']} onSubmit={(event) => void submit(event)}>
      <p className={css['lead']}>{words.session.lead}</p>
      <TextField
        label={words.session.email}
        name="email"
        type="email"
        autoComplete="username"
        required
        autoFocus
      />
      <TextField
        label={words.session.password}
        name="password"
        type="password"
        autoComplete="current-password"
        required
      />
      {isWrong ? (
        <p role="alert" className={css['wrong']}>
          {problem.message}
        </p>
      ) : (
        problem !== undefined && <ProblemBox error={problem} />
      )}
      <Button type="submit" look="primary" aria-busy={isBusy || undefined}>
        {words.action.signIn}
      </Button>
    </form>
  )
}

function NeedsSetup() {
  return (
    <>
      <p>
        <strong>{words.session.needsSetup}</strong>
      </p>
      <p className={css['lead']}>{words.session.needsSetupHow}</p>
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
          <a href={url}>{url}</a>
        </p>
      )}
    </>
  )
}
