// Where one is signed in, with End.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Age } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import { accountWords } from '../../words/account.ts'
import css from './me.module.css'
import { sessionsQuery } from './queries.ts'

const text = accountWords.security

export function OwnSessions() {
  const own = useQuery(sessionsQuery)
  const say = useToast()
  const [problem, setProblem] = useState<unknown>()
  const end = async (session_id?: string) => {
    setProblem(undefined)
    try {
      const { ended } = await call('me', 'endSessions', session_id === undefined ? {} : { session_id })
      say({ text: text.ended(ended) })
    } catch (error) {
      setProblem(error)
    }
    await own.refetch()
  }
  const all = own.data?.sessions ?? []
  return (
    <section className={css['section']} aria-labelledby="sessions">
      <h2 id="sessions">{text.sessions}</h2>
      <p className={css['lead']}>{text.sessionsLead}</p>
      {problem !== undefined && <ProblemBox error={problem} />}
      {own.isPending && <Loading rows={2} />}
      {own.error && <ProblemBox error={own.error} onRetry={() => void own.refetch()} />}
      <ul className={css['list']} aria-label={text.sessions}>
        {all.map((it) => (
          <li key={it.session_id}>
            <span>
              <code>{it.address}</code>{' '}
              <span className={css['note']}>
                <Evidence text={it.user_agent} /> · {text.began} <Age atS={it.created} /> {text.ago} ·{' '}
                {text.used} <Age atS={it.used} /> {text.ago}
              </span>
            </span>
            {it.is_current ? (
              <strong>{text.current}</strong>
            ) : (
              <Button aria-label={text.endOf(it.address)} onClick={() => void end(it.session_id)}>
                {text.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {all.length > 1 && (
        <p className={css['actions']}>
          <Button onClick={() => void end()}>{text.endOthers}</Button>
        </p>
      )}
    </section>
  )
}
