// The note of a Flock.
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import css from '../birds/birds.module.css'
import { birdWords } from '../birds/words.ts'

const { flocks: said } = birdWords

export function Note({ id }: { readonly id: string }) {
  const field = useId()
  const say = useToast()
  const mayNot = useWhyNot('flockNotes', 'add', [id])
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['flockNotes', 'read', id],
    queryFn: ({ signal }) => call('flockNotes', 'read', { flock_id: id }, signal),
  })
  const [typed, setTyped] = useState<string | undefined>()
  const [problem, setProblem] = useState<unknown>()
  const save = async () => {
    setProblem(undefined)
    try {
      await call('flockNotes', 'add', { flock_id: id, note: typed ?? '' })
      await refetch()
      setTyped(undefined)
      say({ text: said.saved })
    } catch (failed) {
      setProblem(failed)
    }
  }
  return (
    <section className={css['part']}>
      <h2>
        <label htmlFor={field}>{said.note}</label>
      </h2>
      {isPending && <Loading rows={1} />}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <textarea
            id={field}
            className={css['text']}
            rows={4}
            maxLength={10_000}
            value={typed ?? data.note}
            onChange={({ target }) => setTyped(target.value)}
          />
          <p>
            <Button
              onClick={() => void save()}
              reason={
                mayNot ??
                (typed === undefined || typed === data.note ? birdWords.settings.noChanges : undefined)
              }
            >
              {said.save}
            </Button>
          </p>
        </>
      )}
      {problem !== undefined && <ProblemBox error={problem} />}
    </section>
  )
}
