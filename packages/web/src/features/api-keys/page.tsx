// Keys of programs: what each may do, from where, until when, and whether it is used. Admins alone see it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useWhyNot } from '../../can.ts'
import { call } from '../../api/call.ts'
import { Command } from '../../kit/command.tsx'
import { Button } from '../../kit/button.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import { explain } from '../../problem.ts'
import { words } from '../../words/en.ts'
import { ApiSwitch } from './api-switch.tsx'
import { KeyRow } from './key-row.tsx'
import css from './keys.module.css'
import { NewKey } from './new-key.tsx'
import { keysQuery, type Key } from './queries.ts'
import { keyWords as said } from './words.ts'

export function KeysPage() {
  const reason = useWhyNot('apiKeys', 'list')
  return (
    <div className={css['page']}>
      <PageHeading title={said.title} />
      {reason === undefined ? <Keys /> : <p>{reason}</p>}
    </div>
  )
}

function Keys() {
  const queries = useQueryClient()
  const say = useToast()
  const { data, error, isPending, refetch } = useQuery(keysQuery)
  const [made, setMade] = useState<Key>()
  if (isPending) return <Loading />
  if (!data) return <ProblemBox error={error} onRetry={() => void refetch()} />
  const keys = data.global_api_keys
  /** What was pressed is gone. */
  const focusHeading = () => document.querySelector('h1')?.focus()
  const revoke = async (key_id: string) => {
    try {
      await call('apiKeys', 'remove', { key_id })
      say({ text: said.revoked })
      if (made?.key_id === key_id) setMade(undefined)
    } catch (refused) {
      const { title, text } = explain(refused)
      say({ text: `${words.inbox.refused} ${title} ${text}` })
    }
    await queries.invalidateQueries({ queryKey: keysQuery.queryKey })
    focusHeading()
  }
  return (
    <>
      <p className={css['lead']}>{said.lead}</p>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {made && <Made key={made.key_id} made={made} onStored={() => (setMade(undefined), focusHeading())} />}
      {keys.length === 0 ? (
        <p>{said.none}</p>
      ) : (
        <table className={css['table']}>
          <thead>
            <tr>
              {said.columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <KeyRow key={key.key_id} of={key} onRevoke={() => void revoke(key.key_id)} />
            ))}
          </tbody>
        </table>
      )}
      <ErrorBoundary>
        <NewKey
          onMade={(key) => {
            setMade(key)
            void queries.invalidateQueries({ queryKey: keysQuery.queryKey })
          }}
        />
      </ErrorBoundary>
      <ErrorBoundary>
        <ApiSwitch keys={keys} />
      </ErrorBoundary>
    </>
  )
}

interface MadeProps {
  readonly made: Key
  readonly onStored: () => void
}

/** The new key, which a console that shows keys once never shows again. */
function Made({ made, onStored }: MadeProps) {
  const { data } = useQuery(keysQuery)
  const box = useRef<HTMLElement>(null)
  // The form may be far below.
  useEffect(() => box.current?.focus(), [])
  const isMasked = data?.global_api_keys.some(
    ({ key_id, auth_token }) => key_id === made.key_id && auth_token.startsWith('*'),
  )
  const base = location.origin
  return (
    <section ref={box} tabIndex={-1} aria-label={said.forKey} className={css['made']}>
      <p>{isMasked === false ? said.shownAgain : said.shownOnce}</p>
      <Command label={said.key} command={made.auth_token} />
      <Command
        label={said.ini}
        command={`[Rookery]\napi_key = ${made.auth_token}\ndomain = ${location.host}\nbase_url = ${base}`}
      />
      <Command label={said.curl} command={`curl -H 'X-Auth-Token: ${made.auth_token}' ${base}/api/v1/ping`} />
      <p>
        <Button onClick={onStored}>{said.stored}</Button>
      </p>
    </section>
  )
}
