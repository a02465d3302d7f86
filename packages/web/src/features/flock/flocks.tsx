// The Flocks, each with its numbers, and a new one.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { Problem } from '../../problem.ts'
import css from '../birds/birds.module.css'
import { flocksQuery } from '../birds/queries.ts'
import { useSlowBell } from '../birds/use-slow-bell.ts'
import { birdWords } from '../birds/words.ts'

const { flocks: said } = birdWords

export function FlocksPage() {
  const navigate = useNavigate()
  const { data, error, isPending, refetch } = useQuery(flocksQuery)
  useSlowBell(() => void refetch())
  const reason = useWhyNot('flocks', 'create')
  const [problem, setProblem] = useState<unknown>()
  const details = problem instanceof Problem ? problem.details : {}
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem(undefined)
    try {
      const name = String(new FormData(event.currentTarget).get('name'))
      const { flock_id } = await call('flocks', 'create', { name })
      await refetch()
      await navigate({ to: '/flocks/$id', params: { id: flock_id } })
    } catch (failed) {
      setProblem(failed)
    }
  }
  const flocks = Object.entries(data?.flocks_summary ?? {})
  return (
    <div className={css['page']}>
      <PageHeading title={birdWords.flocksTitle} />
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading rows={4} />}
      {data && flocks.length === 0 && <p>{said.none}</p>}
      <ul className={css['cards']}>
        {flocks.map(([id, flock]) => (
          <li key={id} className={css['card']}>
            <Link to="/flocks/$id" params={{ id }}>
              <Evidence text={flock.name} />
            </Link>
            <span>{said.live(flock.live, flock.birds)}</span>
            <span className={css['quiet']}>
              {said.tokens(flock.tokens)} · {said.open(flock.incidents_unacknowledged)}
            </span>
          </li>
        ))}
      </ul>
      <form className={css['row-of']} aria-label={said.createTitle} onSubmit={(event) => void create(event)}>
        <TextField label={said.name} name="name" required maxLength={100} error={details['name']} />
        <Button type="submit" look="primary" reason={reason}>
          {said.create}
        </Button>
      </form>
      {problem !== undefined && Object.keys(details).length === 0 && <ProblemBox error={problem} />}
    </div>
  )
}
