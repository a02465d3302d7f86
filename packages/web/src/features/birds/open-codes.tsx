// The enrolment codes that can still be used, each with a way to end it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import css from './birds.module.css'
import { enrolmentsQuery, flocksQuery } from './queries.ts'
import { birdWords } from './words.ts'

const POLL_MS = 5_000

export function OpenCodes() {
  // A Bird uses a code up whenever it comes.
  const { data, error, isPending, refetch } = useQuery({ ...enrolmentsQuery, refetchInterval: POLL_MS })
  const flocks = useQuery(flocksQuery).data?.flocks_summary
  const [problem, setProblem] = useState<unknown>()
  const say = useToast()
  const revoke = async (enrolment_id: string) => {
    setProblem(undefined)
    try {
      await call('enrolments', 'revoke', { enrolment_id })
      say({ text: birdWords.make.revoked })
    } catch (failed) {
      setProblem(failed)
    }
    await refetch()
  }
  return (
    <section className={css['part']}>
      <h2>{birdWords.make.open}</h2>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {problem !== undefined && <ProblemBox error={problem} />}
      {isPending && <Loading rows={1} />}
      {data?.enrolments.length === 0 && <p className={css['quiet']}>{birdWords.make.noCodes}</p>}
      <ul className={css['part']}>
        {data?.enrolments.map(({ enrolment_id, flock_id, uses_left, expires_std }) => (
          <li key={enrolment_id} className={css['row-of']}>
            <code>{enrolment_id.slice(0, 8)}</code>
            <Evidence text={flocks?.[flock_id]?.name ?? flock_id} />
            <span>{birdWords.make.usesLeft(uses_left)}</span>
            <span className={css['quiet']}>{birdWords.make.ends(expires_std)}</span>
            <Revoke flock={flock_id} onRevoke={() => void revoke(enrolment_id)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Revoke({ flock, onRevoke }: { readonly flock: string; readonly onRevoke: () => void }) {
  return (
    <Button look="danger" onClick={onRevoke} reason={useWhyNot('enrolments', 'revoke', [flock])}>
      {birdWords.make.revoke}
    </Button>
  )
}
