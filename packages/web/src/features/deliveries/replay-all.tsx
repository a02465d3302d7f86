// Sends again, in order, what a receiver missed since a time.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import birds from '../birds/birds.module.css'
import { sinceDays } from './queries.ts'
import { deliveryWords as said } from './words.ts'

interface ReplayAllProps {
  readonly receiver: string
  readonly flock: string | undefined
  readonly onDone: () => void
}

export function ReplayAll({ receiver: webhook_id, flock, onDone }: ReplayAllProps) {
  const say = useToast()
  const [days, setDays] = useState<keyof typeof said.days>('1')
  const reason = useWhyNot('deliveries', 'replayMany', flock === undefined ? undefined : [flock])
  const { mutate, error } = useMutation({
    mutationFn: () => call('deliveries', 'replayMany', { webhook_id, since: sinceDays(days) }),
    onSuccess: ({ replayed, more }) => {
      say({ text: replayed === 0 ? said.nothingToReplay : said.replayedMany(replayed, more) })
      onDone()
    },
  })
  return (
    <>
      <div className={birds['row-of']}>
        <label className={birds['choice']}>
          {said.replaySince}
          <select
            className={birds['select']}
            value={days}
            onChange={({ target }) => setDays(target.value as typeof days)}
          >
            {Object.entries(said.days).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Button reason={reason} onClick={() => mutate()}>
          {said.replayAll}
        </Button>
      </div>
      {error && <ProblemBox error={error} />}
    </>
  )
}
