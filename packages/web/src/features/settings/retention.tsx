// How long incidents that are done with, and deliveries, are kept: of the console, or of one Flock.
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { useToast } from '../../kit/toast.tsx'
import { Problem } from '../../problem.ts'
import css from './settings.module.css'
import { settingsWords } from './words.ts'

const said = settingsWords.retention
const FIELDS = ['incident_days', 'delivery_days'] as const

type Days = Pick<AnswerOf<'retention', 'read'>, (typeof FIELDS)[number]>

/** Without a Flock, those of the console. */
export function Retention({ flock }: { readonly flock?: string }) {
  const queryKey = ['retention', flock === undefined ? 'read' : 'readFlock', flock]
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }): Promise<Days> =>
      flock === undefined
        ? call('retention', 'read', {}, signal)
        : call('retention', 'readFlock', { flock_id: flock }, signal),
  })
  return (
    <section className={css['part']}>
      <h2>{said.title}</h2>
      <p className={css['note']}>{said.lead}</p>
      {isPending && <Loading rows={2} />}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {data && <Form flock={flock} before={data} queryKey={queryKey} />}
    </section>
  )
}

interface FormProps {
  readonly flock: string | undefined
  readonly before: Days
  readonly queryKey: readonly unknown[]
}

function Form({ flock, before, queryKey }: FormProps) {
  const queries = useQueryClient()
  const say = useToast()
  const reason = useWhyNot(
    'retention',
    flock === undefined ? 'change' : 'changeFlock',
    flock === undefined ? undefined : [flock],
  )
  const [given, setGiven] = useState<Days>(before)
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const days = daysIn(event.currentTarget)
    setBusy(true)
    setProblem(undefined)
    try {
      const after: Days =
        flock === undefined
          ? await call('retention', 'change', days)
          : await call('retention', 'changeFlock', { flock_id: flock, ...days })
      queries.setQueryData(queryKey, after)
      say({ text: said.saved })
    } catch (refused) {
      setProblem(refused)
    } finally {
      setBusy(false)
    }
  }
  const details = problem instanceof Problem ? problem.details : {}
  const isOnField = FIELDS.some((name) => details[name] !== undefined)
  return (
    <form
      className={css['form']}
      aria-label={said.title}
      noValidate
      onChange={(event) => setGiven(daysIn(event.currentTarget))}
      onSubmit={(event) => void submit(event)}
    >
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={said[name]}
          name={name}
          inputMode="numeric"
          required
          help={flock === undefined ? said.help[name] : `${said.help[name]} ${said.follows}`}
          defaultValue={before[name]}
          error={details[name]}
        />
      ))}
      {flock === undefined && <Due days={given} />}
      {problem !== undefined && !isOnField && <ProblemBox error={problem} />}
      <p>
        <Button type="submit" look="primary" reason={reason} aria-busy={isBusy || undefined}>
          {said.save}
        </Button>
      </p>
    </form>
  )
}

const daysIn = (form: HTMLFormElement): Days => {
  const given = new FormData(form)
  return {
    incident_days: Number(given.get('incident_days')),
    delivery_days: Number(given.get('delivery_days')),
  }
}

/** What these days would remove now; nothing for days that are refused. */
function Due({ days }: { readonly days: Days }) {
  const isWhole = FIELDS.every((name) => Number.isInteger(days[name]) && days[name] >= 0)
  const { data } = useQuery({
    queryKey: ['retention', 'due', days],
    queryFn: isWhole ? ({ signal }) => call('retention', 'due', { ...days }, signal) : skipToken,
    retry: false,
  })
  return <output>{data ? said.due(data.incidents, data.deliveries) : ' '}</output>
}
