import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { Problem } from '../../problem.ts'
import { openSession } from '../../session/open-session.ts'
import { sessionQuery, type SessionState } from '../../session/session-query.ts'
import css from '../../shell/outside.module.css'
import { words } from '../../words/en.ts'
import { Enrol } from './enrol.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { SecondStep } from './second-step.tsx'

interface SignInFormProps {
  readonly onDone: (session: SessionState) => void
  /** Filled in where it is known who it is. */
  readonly email?: string | undefined
}

/** The password, then the factor that is missing, or one that must be added. */
export function SignInForm(props: SignInFormProps) {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data.needs_factor) return <SecondStep ways={data.ways} onDone={props.onDone} />
  if (data.must_add_factor) return <Enrol onDone={props.onDone} />
  return <PasswordForm {...props} canUsePasskey={data.ways.includes('passkey')} />
}

interface PasswordFormProps extends SignInFormProps {
  readonly canUsePasskey: boolean
}

function PasswordForm({ onDone, email, canUsePasskey }: PasswordFormProps) {
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const isWrong = problem instanceof Problem && problem.code === 'unauthenticated'
  useEffect(() => {
    if (isWrong) form.current?.querySelector<HTMLInputElement>('[type="password"]')?.select()
  }, [isWrong, problem])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A form sent twice signs in once.
    if (isBusy) return
    const given = new FormData(event.currentTarget)
    setBusy(true)
    setProblem(undefined)
    try {
      const answer = await call('sessions', 'password', {
        email: String(given.get('email')),
        password: String(given.get('password')),
      })
      const state = await openSession(queries, answer.page_half)
      if (state.signed_in) onDone(state)
    } catch (error) {
      setProblem(error)
      // Once it is done, the form stays busy until the next page is there.
      setBusy(false)
    }
  }
  return (
    <form ref={form} className={css['form']} onSubmit={(event) => void submit(event)}>
      <TextField
        label={words.session.email}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        required
        autoFocus={email === undefined}
      />
      <TextField
        label={words.session.password}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus={email !== undefined}
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
      {canUsePasskey && <PasskeyButton onDone={onDone} onProblem={setProblem} />}
    </form>
  )
}
