import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { exactTime } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { words } from '../../words/en.ts'
import css from './incident.module.css'
import { incidentQuery, type Incident } from './queries.ts'

interface Comment {
  readonly by: string
  readonly at: number
  readonly text: string
}

export function Comments({ incident, hash }: { readonly incident: Incident; readonly hash: string }) {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<unknown>()
  const comments = (incident as { readonly comments?: readonly Comment[] }).comments ?? []
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    setProblem(undefined)
    try {
      await call('incidentActions', 'comment', { incident: incident.id, comment: text })
      setText('')
      await queries.invalidateQueries({ queryKey: incidentQuery(hash).queryKey })
    } catch (error) {
      setProblem(error)
    }
  }
  return (
    <section>
      <h2>{words.incident.comments}</h2>
      <ul className={css['told']}>
        {comments.map(({ by, at, text: said }) => (
          <li key={`${at} ${by} ${said}`}>
            <Evidence text={said} canUnfold />
            <span className={css['quiet']}>
              <Evidence text={by} /> · {exactTime(at)}
            </span>
          </li>
        ))}
      </ul>
      {problem !== undefined && <ProblemBox error={problem} />}
      <form className={css['say']} onSubmit={(event) => void submit(event)}>
        <textarea
          aria-label={words.incident.comment}
          rows={2}
          maxLength={2_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit">{words.incident.addComment}</Button>
      </form>
    </section>
  )
}
