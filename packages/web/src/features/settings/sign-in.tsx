import { useQuery, useQueryClient, queryOptions } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { CheckField } from '../../kit/form-fields.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { useToast } from '../../kit/toast.tsx'
import { Problem } from '../../problem.ts'
import css from './settings.module.css'
import { settingsWords } from './words.ts'

const said = settingsWords.signIn
const FIELDS = ['second_factor_required', 'idle_minutes', 'longest_hours'] as const

const signInQuery = queryOptions({
  queryKey: ['signInSettings', 'read'],
  queryFn: ({ signal }) => call('signInSettings', 'read', {}, signal),
})

export function SignIn() {
  const { data, error, isPending, refetch } = useQuery(signInQuery)
  return (
    <section className={css['part']}>
      <p className={css['note']}>{said.lead}</p>
      {isPending && <Loading rows={3} />}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {data && <Form before={data} />}
    </section>
  )
}

function Form({ before }: { readonly before: AnswerOf<'signInSettings', 'read'> }) {
  const queries = useQueryClient()
  const say = useToast()
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const given = new FormData(event.currentTarget)
    setBusy(true)
    setProblem(undefined)
    try {
      const after = await call('signInSettings', 'change', {
        second_factor_required: given.has('second_factor_required'),
        idle_minutes: Number(given.get('idle_minutes')),
        longest_hours: Number(given.get('longest_hours')),
      })
      queries.setQueryData(signInQuery.queryKey, after)
      say({ text: said.saved })
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const details = problem instanceof Problem ? problem.details : {}
  const isOnField = FIELDS.some((name) => details[name] !== undefined)
  return (
    <form className={css['form']} noValidate onSubmit={(event) => void submit(event)}>
      <CheckField
        label={said.factor}
        name="second_factor_required"
        help={said.factorHelp}
        defaultChecked={before.second_factor_required}
        error={details['second_factor_required']}
      />
      <TextField
        label={said.idle}
        name="idle_minutes"
        inputMode="numeric"
        required
        help={said.idleHelp}
        defaultValue={before.idle_minutes}
        error={details['idle_minutes']}
      />
      <TextField
        label={said.longest}
        name="longest_hours"
        inputMode="numeric"
        required
        help={said.longestHelp}
        defaultValue={before.longest_hours}
        error={details['longest_hours']}
      />
      {problem !== undefined && !isOnField && <ProblemBox error={problem} />}
      <p>
        <Button type="submit" look="primary" aria-busy={isBusy || undefined}>
          {said.save}
        </Button>
      </p>
    </form>
  )
}
