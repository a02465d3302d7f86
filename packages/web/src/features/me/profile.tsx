// How one wants the page, and one's password.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { call, type ParamsOf } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { useToast } from '../../kit/toast.tsx'
import { areNoticesOn, switchNotices } from '../../live/notices.ts'
import { Problem } from '../../problem.ts'
import { usePreferences } from '../../session/preferences.ts'
import { sessionQuery } from '../../session/session-query.ts'
import { accountWords } from '../../words/account.ts'
import { words } from '../../words/en.ts'
import css from './me.module.css'

const text = accountWords.profile

export function Profile() {
  const { data } = useSuspenseQuery(sessionQuery)
  return (
    <div className={css['page']}>
      <PageHeading title={text.title} />
      <p className={css['lead']}>{data.me?.email}</p>
      <Looks />
      <NewPassword />
    </div>
  )
}

function Looks() {
  const say = useToast()
  const { preferences, prefer } = usePreferences()
  const [problem, setProblem] = useState<unknown>()
  const save = (change: ParamsOf<'me', 'prefer'>) => {
    setProblem(undefined)
    prefer(change).then(() => say({ text: text.saved }), setProblem)
  }
  return (
    <section className={css['section']} aria-labelledby="looks">
      <h2 id="looks">{text.looks}</h2>
      {problem !== undefined && <ProblemBox error={problem} />}
      <div className={css['form']}>
        <Choice
          label={words.account.theme}
          value={preferences.theme}
          onChoose={(theme) => save({ theme: theme as typeof preferences.theme })}
        >
          {(['system', 'dark', 'light'] as const).map((it) => (
            <option key={it} value={it}>
              {words.account[it]}
            </option>
          ))}
        </Choice>
        <Choice label={text.zone} value={preferences.zone} onChoose={(zone) => save({ zone })}>
          <option value="">{text.zoneBrowser}</option>
          {ZONES.map((it) => (
            <option key={it} value={it}>
              {it}
            </option>
          ))}
        </Choice>
        <label>
          <input
            type="checkbox"
            checked={preferences.keys}
            onChange={({ target }) => save({ keys: target.checked })}
          />{' '}
          {words.account.keys}
        </label>
        <Notices />
      </div>
    </section>
  )
}

function Notices() {
  const say = useToast()
  const [isOn, setOn] = useState(areNoticesOn)
  const [isRefused, setRefused] = useState(false)
  const change = async (wanted: boolean) => {
    const is = await switchNotices(wanted)
    setOn(is)
    setRefused(wanted && !is)
    if (is === wanted) say({ text: text.saved })
  }
  return (
    <>
      <label>
        <input type="checkbox" checked={isOn} onChange={({ target }) => void change(target.checked)} />{' '}
        {text.notices}
      </label>
      {isRefused && <p role="alert">{text.noticesRefused}</p>}
    </>
  )
}

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly onChoose: (value: string) => void
  readonly children: ReactNode
}

function Choice({ label, value, onChoose, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className={css['choice']}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChoose(target.value)}>
        {children}
      </select>
    </div>
  )
}

function NewPassword() {
  const say = useToast()
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const details = problem instanceof Problem ? problem.details : {}
  useEffect(() => form.current?.querySelector<HTMLInputElement>('[aria-invalid]')?.focus(), [problem])
  const change = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const given = new FormData(event.currentTarget)
    setBusy(true)
    setProblem(undefined)
    try {
      const { ended } = await call('me', 'password', {
        password: String(given.get('password')),
        new_password: String(given.get('new_password')),
      })
      form.current?.reset()
      say({ text: text.changed(ended) })
      await queries.invalidateQueries({ queryKey: ['me', 'sessions'] })
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const hasOwnPlace = 'password' in details || 'new_password' in details
  return (
    <section className={css['section']} aria-labelledby="password">
      <h2 id="password">{text.password}</h2>
      <form ref={form} className={css['form']} onSubmit={(event) => void change(event)}>
        <TextField
          label={text.present}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={details['password']}
        />
        <TextField
          label={text.fresh}
          name="new_password"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          help={words.setup.passwordHelp}
          error={details['new_password']}
        />
        {problem !== undefined && !hasOwnPlace && <ProblemBox error={problem} />}
        <Button type="submit" look="primary" aria-busy={isBusy || undefined}>
          {text.change}
        </Button>
      </form>
    </section>
  )
}
