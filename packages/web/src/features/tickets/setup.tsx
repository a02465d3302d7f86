// The first page that anybody sees: who you are, how people reach the console, and a first touch that arrives here.
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { Prose } from '../../kit/prose.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { links } from '../../links.ts'
import { LiveProvider } from '../../live/live-provider.tsx'
import { Problem } from '../../problem.ts'
import { openSession } from '../../session/open-session.ts'
import { sessionQuery } from '../../session/session-query.ts'
import { Brand } from '../../shell/brand.tsx'
import css from '../../shell/outside.module.css'
import { words } from '../../words/en.ts'
import { TouchIt } from './touch-it.tsx'

const STEPS = 3
type Step = 'you' | 'reach' | 'touch'

export function SetUp() {
  // The code stands behind the `#`, which no log and no referrer sees.
  const [code] = useState(() => location.hash.slice(1))
  const [step, setStep] = useState<Step>('you')
  const [since, setSince] = useState(0)
  return (
    <main className={css['outside']}>
      <Brand />
      <PageHeading title={words.setup.title} />
      {step === 'you' && <You code={code} onDone={(now) => (setSince(now), setStep('reach'))} />}
      {step === 'reach' && <Reach onDone={() => setStep('touch')} />}
      {step === 'touch' && (
        <LiveProvider isSignedIn>
          <StepHeading n={3} title={words.setup.touch} />
          <TouchIt since={since} />
        </LiveProvider>
      )}
    </main>
  )
}

/** Takes the focus, as the heading of a page does, but for the first: there the first field has it. */
function StepHeading({ n, title }: { readonly n: number; readonly title: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (n > 1) heading.current?.focus()
  }, [n])
  return (
    <div>
      <p className={css['lead']}>{words.setup.step(n, STEPS)}</p>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
    </div>
  )
}

interface YouProps {
  readonly code: string
  /** Gets the `updated_id` of now: what comes later is the first touch. */
  readonly onDone: (since: number) => void
}

function You({ code, onDone }: YouProps) {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const ticket = useQuery({
    queryKey: ['tickets', 'read', code],
    queryFn: ({ signal }) => call('tickets', 'read', { code }, signal),
    enabled: code !== '' && session.needs_setup,
    retry: false,
  })
  if (!session.needs_setup)
    return (
      <Dead title={words.setup.done} text={session.signed_in ? '' : words.setup.doneHow}>
        {session.signed_in ? (
          <Link to={links.inbox}>{words.setup.toInbox}</Link>
        ) : (
          <Link to={links.signIn}>{words.action.signIn}</Link>
        )}
      </Dead>
    )
  if (code === '') return <Dead title={words.setup.noCode} text={words.session.needsSetupHow} />
  if (ticket.isPending) return <Loading rows={3} />
  if (ticket.error)
    return ticket.error instanceof Problem && ticket.error.code === 'not-found' ? (
      <Dead title={words.setup.badCode} text={words.setup.badCodeHow} />
    ) : (
      <ProblemBox error={ticket.error} onRetry={() => void ticket.refetch()} />
    )
  return <YouForm code={code} onDone={onDone} />
}

function YouForm({ code, onDone }: YouProps) {
  const queries = useQueryClient()
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const details = problem instanceof Problem ? problem.details : {}
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLInputElement>('[aria-invalid]')?.focus(), [problem])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A form sent twice makes one person.
    if (isBusy) return
    const given = new FormData(event.currentTarget)
    setBusy(true)
    setProblem(undefined)
    try {
      const { page_half } = await call('tickets', 'use', {
        code,
        email: String(given.get('email')),
        password: String(given.get('password')),
      })
      // A set-up link signs its person in.
      await openSession(queries, page_half ?? '')
      history.replaceState(history.state, '', location.pathname)
      const { max_updated_id } = await call('incidentViews', 'rows', { state: 'all', limit: 1 })
      onDone(max_updated_id)
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const hasOwnPlace = Object.keys(details).some((name) => name === 'email' || name === 'password')
  return (
    <>
      <StepHeading n={1} title={words.setup.you} />
      <p className={css['lead']}>{words.setup.youLead}</p>
      <form ref={form} className={css['form']} onSubmit={(event) => void submit(event)}>
        <TextField
          label={words.session.email}
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          error={details['email']}
        />
        <TextField
          label={words.session.password}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          help={words.setup.passwordHelp}
          error={details['password']}
        />
        {problem !== undefined && !hasOwnPlace && <ProblemBox error={problem} />}
        <Button type="submit" look="primary" aria-busy={isBusy || undefined}>
          {words.action.continue}
        </Button>
      </form>
    </>
  )
}

function Dead(props: { readonly title: string; readonly text: string; readonly children?: ReactNode }) {
  return (
    <>
      <p role="alert">
        <strong>{props.title}</strong>
      </p>
      {props.text !== '' && (
        <p className={css['lead']}>
          <Prose text={props.text} />
        </p>
      )}
      {props.children && <p>{props.children}</p>}
    </>
  )
}

function Reach({ onDone }: { readonly onDone: () => void }) {
  const { data } = useSuspenseQuery(sessionQuery)
  const { public_url, tokens_url } = data.console
  return (
    <>
      <StepHeading n={2} title={words.setup.reach} />
      <p className={css['lead']}>{words.setup.reachLead}</p>
      <dl className={css['form']}>
        <Address name={words.setup.publicUrl} url={public_url} option="ROOKERY_PUBLIC_URL" />
        <Address name={words.setup.tokensUrl} url={tokens_url} option="ROOKERY_TOKENS_URL" />
      </dl>
      <Button look="primary" onClick={onDone}>
        {words.action.continue}
      </Button>
    </>
  )
}

function Address(props: { readonly name: string; readonly url: string | null; readonly option: string }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        <code>{props.url ?? location.origin}</code>
        <p className={css['lead']}>{words.setup.reachHow(props.option)}</p>
      </dd>
    </div>
  )
}
