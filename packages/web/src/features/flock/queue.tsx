// The Birds that were accepted into a Flock and wait for room in it, the first at the top.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Age } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import css from '../birds/birds.module.css'
import { Confirm } from '../birds/confirm.tsx'
import { useSlowBell } from '../birds/use-slow-bell.ts'
import { birdWords } from '../birds/words.ts'

const { pending: said } = birdWords
type QueuedBird = AnswerOf<'registration', 'queued'>['devices'][number]

export function Queue({ id }: { readonly id: string }) {
  const say = useToast()
  const mayNot = useWhyNot('registration', 'cancel')
  const { data, error, refetch } = useQuery({
    queryKey: ['registration', 'queued', id],
    queryFn: ({ signal }) => call('registration', 'queued', { flock_id: id }, signal),
  })
  useSlowBell(() => void refetch())
  const [asked, setAsked] = useState<QueuedBird | undefined>()
  const [problem, setProblem] = useState<unknown>()
  const reject = async ({ device_id, name }: QueuedBird) => {
    setAsked(undefined)
    setProblem(undefined)
    try {
      await call('registration', 'cancel', { node_id: device_id })
      say({ text: said.rejected(plainEvidence(name, 60)) })
    } catch (failed) {
      setProblem(failed)
    }
    await refetch()
  }
  if (error) return <ProblemBox error={error} onRetry={() => void refetch()} />
  // Most Flocks have room.
  if (!data?.devices.length && problem === undefined) return null
  return (
    <section className={css['part']} aria-label={said.queue}>
      <h2>{said.queue}</h2>
      <p className={css['quiet']}>{said.queueLead}</p>
      {problem !== undefined && <ProblemBox error={problem} />}
      <ol className={css['cards']}>
        {data?.devices.map((bird) => (
          <li key={bird.device_id} className={css['card']}>
            <strong>
              <Evidence text={bird.name} />
            </strong>
            <span className={css['quiet']}>
              {said.waits} <Age atS={bird.pending_since} />
              {[bird.device_version, bird.sensor].filter(Boolean).map((text) => (
                <span key={text}>
                  {' · '}
                  <Evidence text={text} />
                </span>
              ))}
            </span>
            <Button look="danger" reason={mayNot} onClick={() => setAsked(bird)}>
              {said.reject}
            </Button>
          </li>
        ))}
      </ol>
      {asked && (
        <Confirm
          title={said.rejectAsk(plainEvidence(asked.name, 60))}
          text={said.rejectText}
          verb={said.reject}
          onClose={() => setAsked(undefined)}
          onConfirm={() => void reject(asked)}
        />
      )}
    </section>
  )
}
