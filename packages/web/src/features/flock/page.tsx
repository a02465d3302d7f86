// One Flock: its numbers, its people, its note and limit; rename, change all of its Birds, delete.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState, type FormEvent } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { useToast } from '../../kit/toast.tsx'
import { Problem } from '../../problem.ts'
import { words } from '../../words/en.ts'
import css from '../birds/birds.module.css'
import { Confirm } from '../birds/confirm.tsx'
import { flocksQuery } from '../birds/queries.ts'
import { useSlowBell } from '../birds/use-slow-bell.ts'
import { birdWords } from '../birds/words.ts'
import { Retention } from '../settings/retention.tsx'
import { Limit } from './limit.tsx'
import { Note } from './note.tsx'
import { Queue } from './queue.tsx'

const ConfigureMany = lazy(async () => ({
  default: (await import('../bird/configure-many.tsx')).ConfigureMany,
}))
const { flocks: said } = birdWords

export function FlockPage() {
  const { id = '' } = useParams({ strict: false })
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['flockSummaries', 'one', id],
    queryFn: ({ signal }) => call('flockSummaries', 'one', { flock_id: id }, signal),
    retry: false,
  })
  useSlowBell(() => void refetch())
  if (isPending) return <Loading />
  if (!data)
    return (
      <div className={css['page']}>
        <PageHeading title={words.notFound.title} />
        {error instanceof Problem && error.code === 'not-found' ? (
          <p>{said.notFound}</p>
        ) : (
          <ProblemBox error={error} onRetry={() => void refetch()} />
        )}
        <p>
          <Link to="/flocks">{birdWords.flocksTitle}</Link>
        </p>
      </div>
    )
  return (
    <div className={css['page']}>
      <p>
        <Link to="/flocks">← {birdWords.flocksTitle}</Link>
      </p>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      <Flock id={id} flock={data.flock_summary} />
      <ErrorBoundary>
        <Limit id={id} />
      </ErrorBoundary>
      <ErrorBoundary>
        <Retention flock={id} />
      </ErrorBoundary>
      <ErrorBoundary>
        <Queue id={id} />
      </ErrorBoundary>
      <ErrorBoundary>
        <Note id={id} />
      </ErrorBoundary>
      <ErrorBoundary>
        <People id={id} />
      </ErrorBoundary>
    </div>
  )
}

interface FlockProps {
  readonly id: string
  readonly flock: AnswerOf<'flockSummaries', 'one'>['flock_summary']
}

function Flock({ id, flock }: FlockProps) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const say = useToast()
  const reason = useWhyNot('flocks', 'rename', [id])
  const [asked, setAsked] = useState<'remove' | 'configure' | undefined>()
  const [problem, setProblem] = useState<unknown>()
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setProblem(undefined)
    try {
      await work()
      await queries.invalidateQueries({ queryKey: flocksQuery.queryKey.slice(0, 1) })
      return true
    } catch (failed) {
      setProblem(failed)
      return false
    }
  }
  const rename = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name'))
    if (await run(() => call('flocks', 'rename', { flock_id: id, name }))) say({ text: said.renamed })
  }
  const remove = async () => {
    setAsked(undefined)
    setProblem(undefined)
    try {
      await call('flocks', 'remove', { flock_id: id })
    } catch (failed) {
      return setProblem(failed)
    }
    say({ text: said.removed(plainEvidence(flock.name, 60)) })
    await navigate({ to: '/flocks' })
  }
  const details = problem instanceof Problem ? problem.details : {}
  return (
    <>
      <PageHeading title={plainEvidence(flock.name, 80)} of={birdWords.flocksTitle}>
        <Evidence text={flock.name} />
      </PageHeading>
      <p>
        {said.live(flock.live, flock.birds)} · {said.tokens(flock.tokens)} ·{' '}
        <Link to="/" search={{ flock: id }}>
          {said.open(flock.incidents_unacknowledged)}
        </Link>
      </p>
      <p className={css['row-of']}>
        <Link to="/birds" search={{ flock: id }}>
          {said.toBirds}
        </Link>
        <Button
          onClick={() => setAsked('configure')}
          reason={reason ?? (flock.birds === 0 ? birdWords.none : undefined)}
        >
          {said.configure}
        </Button>
      </p>
      <form className={css['row-of']} aria-label={said.rename} onSubmit={(event) => void rename(event)}>
        <TextField
          label={said.name}
          name="name"
          required
          maxLength={100}
          defaultValue={flock.name}
          error={details['name']}
        />
        <Button type="submit" reason={reason}>
          {said.rename}
        </Button>
        <Button look="danger" reason={reason} onClick={() => setAsked('remove')}>
          {said.remove}
        </Button>
      </form>
      {problem !== undefined && Object.keys(details).length === 0 && <ProblemBox error={problem} />}
      {asked === 'remove' && (
        <Confirm
          title={said.removeAsk(plainEvidence(flock.name, 60))}
          text={said.removeText}
          word="delete"
          verb={said.remove}
          onClose={() => setAsked(undefined)}
          onConfirm={() => void remove()}
        />
      )}
      {asked === 'configure' && (
        <Suspense>
          <ConfigureMany target={{ flock_id: id }} count={flock.birds} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function People({ id }: { readonly id: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['users', 'ofFlock', id],
    queryFn: ({ signal }) => call('users', 'ofFlock', { flock_id: id }, signal),
  })
  return (
    <section className={css['part']}>
      <h2>{said.people}</h2>
      {isPending && <Loading rows={1} />}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {data?.users.length === 0 && <p className={css['quiet']}>{said.noPeople}</p>}
      <ul className={css['part']}>
        {data?.users.map(({ email, role }) => (
          <li key={email}>
            <Evidence text={email} /> · {role}
          </li>
        ))}
      </ul>
    </section>
  )
}
