import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { isEmpty } from '../../kit/hostile.ts'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { words } from '../../words/en.ts'
import css from './incident.module.css'
import { incidentQuery, type Incident } from './queries.ts'

export function Comments({ incident, hash }: { readonly incident: Incident; readonly hash: string }) {
  const queries = useQueryClient()
  const reason = useWhyNot('incidentActions', 'comment', [incident.flock_id ?? ''])
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const comments = incident.comments ?? []
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || isBusy || reason !== undefined) return
    setBusy(true)
    setProblem(undefined)
    try {
      await call('incidentActions', 'comment', { incident: incident.id, comment: text })
      setText('')
      await queries.invalidateQueries({ queryKey: incidentQuery(hash).queryKey })
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section>
      <h2>{words.incident.comments}</h2>
      <ul className={css['entries']}>
        {comments.map(({ by, at, text: said, verdict }) => (
          <li key={`${at} ${by} ${said}`}>
            {verdict && <strong>{words.incident.verdicts[verdict]}</strong>}
            {!isEmpty(said) && <Evidence text={said} canUnfold />}
            <span className={css['quiet']}>
              <Evidence text={by} /> · <Time atS={at} />
            </span>
          </li>
        ))}
      </ul>
      {problem !== undefined && <ProblemBox error={problem} />}
      <form className={css['say']} onSubmit={(event) => void submit(event)}>
        <textarea
          data-comment
          aria-label={words.incident.comment}
          rows={2}
          maxLength={2_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" reason={reason}>
          {words.incident.addComment}
        </Button>
      </form>
    </section>
  )
}
