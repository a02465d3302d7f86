// Acknowledge, with words for those who read it later. On a phone the button is fixed at the bottom.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { exactTime } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import { links } from '../../links.ts'
import { words } from '../../words/en.ts'
import css from './incident.module.css'
import { incidentQuery, type Incident } from './queries.ts'

type Verdict = keyof typeof words.incident.verdicts
const VERDICTS = Object.entries(words.incident.verdicts) as [Verdict, string][]

export function Actions({ incident, hash }: { readonly incident: Incident; readonly hash: string }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useToast()
  const [comment, setComment] = useState('')
  const [verdict, setVerdict] = useState<Verdict | ''>('')
  const [problem, setProblem] = useState<unknown>()
  const isAcknowledged = incident.acknowledged === 'True'

  const refresh = () => queries.invalidateQueries({ queryKey: incidentQuery(hash).queryKey })
  async function run(action: 'acknowledgeMany' | 'unacknowledgeMany' | 'removeMany', said: (n: number) => string) {
    setProblem(undefined)
    try {
      const words = action === 'acknowledgeMany' ? { ...(comment && { comment }), ...(verdict && { verdict }) } : {}
      const { count, batch_id } = await call('incidentActions', action, { hash_ids: hash, keys: false, ...words })
      setComment('')
      const undo = () => void call('incidentActions', 'undo', { batch_id }).then(refresh, setProblem)
      say({ text: said(count), ...(batch_id !== '' && { action: { label: UNDO, run: undo } }) })
      if (action === 'removeMany') await navigate({ to: links.inbox, search: {} })
      else await refresh()
    } catch (error) {
      setProblem(error)
    }
  }
  const acknowledge = () => void run('acknowledgeMany', words.inbox.acknowledged)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === 'e' && !isAcknowledged) acknowledge()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  return (
    <section className={css['actions']} aria-label={words.incident.actions}>
      {problem !== undefined && <ProblemBox error={problem} />}
      {isAcknowledged ? (
        <>
          <Who incident={incident} />
          <div className={css['buttons']}>
            <Button onClick={() => void run('unacknowledgeMany', words.inbox.unacknowledged)}>
              {words.action.unacknowledge}
            </Button>
            <Button look="danger" onClick={() => void run('removeMany', words.inbox.removed)}>
              {words.action.remove}
            </Button>
          </div>
        </>
      ) : (
        <div className={css['fixed']}>
          <details className={css['wordsOf']}>
            <summary>{words.incident.addWords}</summary>
            <label>
              {words.incident.verdict}
              <select value={verdict} onChange={(event) => setVerdict(event.target.value as Verdict | '')}>
                <option value="">—</option>
                {VERDICTS.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {words.incident.comment}
              <textarea
                value={comment}
                maxLength={2_000}
                rows={2}
                onChange={(event) => setComment(event.target.value)}
              />
            </label>
          </details>
          <Button look="primary" shortcut="e" onClick={acknowledge}>
            {words.action.acknowledge}
          </Button>
        </div>
      )}
    </section>
  )
}

const UNDO = words.action.undo

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

function Who({ incident }: { readonly incident: Incident }) {
  const { acknowledged_by, acknowledged_at } = incident as {
    readonly acknowledged_by?: string
    readonly acknowledged_at?: string
  }
  if (!acknowledged_by) return <p>{words.inbox.tabs.acknowledged}</p>
  return (
    <p>
      {words.incident.acknowledgedBy} <Evidence text={acknowledged_by} />
      {acknowledged_at && `, ${exactTime(Number(acknowledged_at))}`}
    </p>
  )
}
