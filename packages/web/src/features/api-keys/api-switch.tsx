// The switch of the whole API. Before it is switched off, it names the keys that this shuts out.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Age, secondsOf } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import { Confirm } from '../birds/confirm.tsx'
import css from './keys.module.css'
import { isExpired, settingsQuery, type Key } from './queries.ts'
import { keyWords as said } from './words.ts'

const MAX_NAMED = 20

export function ApiSwitch({ keys }: { readonly keys: readonly Key[] }) {
  const queries = useQueryClient()
  const say = useToast()
  const { data, error, isPending, refetch } = useQuery(settingsQuery)
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const isOn = data?.settings.api_enabled
  const turn = async (on: boolean) => {
    setAsking(false)
    setProblem(undefined)
    try {
      await call('apiKeys', on ? 'enableApi' : 'disableApi')
      say({ text: on ? said.switchedOn : said.switchedOff })
    } catch (refused) {
      setProblem(refused)
    }
    await queries.invalidateQueries({ queryKey: settingsQuery.queryKey })
  }
  return (
    <section className={css['part']}>
      <h2>{said.api}</h2>
      {isPending && <Loading rows={1} />}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {problem !== undefined && <ProblemBox error={problem} />}
      {isOn !== undefined && (
        <>
          <p>{isOn ? said.apiOn : said.apiOff}</p>
          <p>
            <Button
              look={isOn ? 'danger' : 'primary'}
              onClick={() => (isOn ? setAsking(true) : void turn(true))}
            >
              {isOn ? said.switchOff : said.switchOn}
            </Button>
          </p>
        </>
      )}
      {isAsking && (
        <AskOff
          keys={keys.filter((key) => !isExpired(key))}
          onClose={() => setAsking(false)}
          onConfirm={() => void turn(false)}
        />
      )}
    </section>
  )
}

interface AskOffProps {
  readonly keys: readonly Key[]
  readonly onClose: () => void
  readonly onConfirm: () => void
}

/** Those that are in use come first: somebody would miss them. */
function AskOff({ keys, onClose, onConfirm }: AskOffProps) {
  const usedAt = ({ last_used }: Key): number => (last_used === '' ? 0 : secondsOf(last_used))
  const inUse = keys.toSorted((a, b) => usedAt(b) - usedAt(a))
  return (
    <Confirm
      title={said.offAsk}
      text={said.offText(keys.length)}
      verb={said.switchOff}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <ul className={css['shutOut']}>
        {inUse.slice(0, MAX_NAMED).map((key) => (
          <li key={key.key_id}>
            <Evidence text={key.note} /> <code>{key.key_id}</code>, {key.auth_token_type},{' '}
            {key.last_used === '' ? (
              said.neverUsed
            ) : (
              <>
                {said.usedAgo} <Age atS={usedAt(key)} isSentence />
              </>
            )}
          </li>
        ))}
        {keys.length > MAX_NAMED && <li>{said.others(keys.length - MAX_NAMED)}</li>}
      </ul>
    </Confirm>
  )
}
