// How many Birds a Flock may have.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { useToast } from '../../kit/toast.tsx'
import { Problem } from '../../problem.ts'
import css from '../birds/birds.module.css'
import { birdWords } from '../birds/words.ts'

const { flocks: said } = birdWords

export function Limit({ id }: { readonly id: string }) {
  const say = useToast()
  const reason = useWhyNot('flockLimits', 'set', [id])
  const queries = useQueryClient()
  const queryKey = ['flockLimits', 'read', id]
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call('flockLimits', 'read', { flock_id: id }, signal),
  })
  const [problem, setProblem] = useState<unknown>()
  const details = problem instanceof Problem ? problem.details : {}
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    setProblem(undefined)
    try {
      await call('flockLimits', 'set', { flock_id: id, limit: Number(given.get('limit')) })
      await call('flockLimits', given.get('on') === null ? 'disable' : 'enable', { flock_id: id })
      await queries.invalidateQueries({ queryKey })
      say({ text: said.saved })
    } catch (failed) {
      setProblem(failed)
    }
  }
  return (
    <section className={css['part']}>
      <h2>{said.limit}</h2>
      {isPending && <Loading rows={1} />}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {data && (
        <form className={css['row-of']} aria-label={said.limit} onSubmit={(event) => void save(event)}>
          <label className={css['choice']}>
            <input type="checkbox" name="on" defaultChecked={data.is_enabled} className={css['box']} />
            {said.limitOn}
          </label>
          <div className={css['number']}>
            <TextField
              label={birdWords.make.howMany}
              name="limit"
              type="number"
              min={0}
              required
              defaultValue={data.limit}
              error={details['limit']}
            />
          </div>
          <Button type="submit" reason={reason}>
            {said.save}
          </Button>
        </form>
      )}
      {problem !== undefined && Object.keys(details).length === 0 && <ProblemBox error={problem} />}
    </section>
  )
}
