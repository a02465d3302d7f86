// The links of an invitation and of a reset: their person chooses a password, outside the shell.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { links } from '../../links.ts'
import { Problem } from '../../problem.ts'
import { openSession } from '../../session/open-session.ts'
import { Brand } from '../../shell/brand.tsx'
import css from '../../shell/outside.module.css'
import { words } from '../../words/en.ts'

export const Invite = () => <ChoosePassword title={words.ticket.invite} lead={words.ticket.inviteLead} />
export const Reset = () => <ChoosePassword title={words.ticket.reset} lead={words.ticket.resetLead} />

interface ChoosePasswordProps {
  readonly title: string
  readonly lead: string
}

function ChoosePassword({ title, lead }: ChoosePasswordProps) {
  // The code stands behind the `#`, which no log and no referrer sees.
  const [code] = useState(() => location.hash.slice(1))
  const [isDone, setDone] = useState(false)
  const ticket = useQuery({
    queryKey: ['tickets', 'read', code],
    queryFn: ({ signal }) => call('tickets', 'read', { code }, signal),
    enabled: code !== '',
    retry: false,
    // One that was used is gone; the page says what came of it.
    refetchOnWindowFocus: false,
  })
  return (
    <main className={css['outside']}>
      <Brand />
      <PageHeading title={title} />
      {isDone ? (
        <p role="status">
          {words.ticket.done} <Link to={links.signIn}>{words.action.signIn}</Link>
        </p>
      ) : code === '' || (ticket.error instanceof Problem && ticket.error.code === 'not-found') ? (
        <>
          <p role="alert">
            <strong>{words.setup.badCode}</strong>
          </p>
          <p className={css['lead']}>{words.ticket.badCodeHow}</p>
        </>
      ) : ticket.error ? (
        <ProblemBox error={ticket.error} onRetry={() => void ticket.refetch()} />
      ) : ticket.isPending ? (
        <Loading rows={3} />
      ) : (
        <>
          <p className={css['lead']}>
            {lead} <Evidence text={ticket.data.email ?? ''} />
          </p>
          <PasswordForm code={code} email={ticket.data.email ?? ''} onDone={() => setDone(true)} />
        </>
      )}
    </main>
  )
}

interface PasswordFormProps {
  readonly code: string
  readonly email: string
  /** The password is chosen, and nobody is signed in by it. */
  readonly onDone: () => void
}

function PasswordForm({ code, email, onDone }: PasswordFormProps) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const wrong = problem instanceof Problem ? problem.details['password'] : undefined
  useEffect(() => form.current?.querySelector<HTMLInputElement>('[aria-invalid]')?.focus(), [problem])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A form sent twice uses the link once.
    if (isBusy) return
    const password = String(new FormData(event.currentTarget).get('password'))
    setBusy(true)
    setProblem(undefined)
    try {
      const { page_half } = await call('tickets', 'use', { code, password })
      history.replaceState(history.state, '', location.pathname)
      if (page_half === null) return onDone()
      await openSession(queries, page_half)
      await navigate({ to: links.inbox, replace: true })
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} className={css['form']} onSubmit={(event) => void submit(event)}>
      {/* For password managers, which keep a password under its address. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label={words.session.password}
        name="password"
        type="password"
        autoComplete="new-password"
        required
        autoFocus
        minLength={12}
        help={words.setup.passwordHelp}
        error={wrong}
      />
      {problem !== undefined && wrong === undefined && <ProblemBox error={problem} />}
      <Button type="submit" look="primary" aria-busy={isBusy || undefined}>
        {words.action.continue}
      </Button>
    </form>
  )
}
