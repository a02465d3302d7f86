import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { words } from '../../words/en.ts'
import css from './incident.module.css'
import { eventsQuery } from './queries.ts'
import { credentialsOf } from './read-incident.ts'

const MOST = 50

/** Every pair that was tried; passwords are masked until asked for, since others may look at the screen. */
export function Credentials({ hash }: { readonly hash: string }) {
  const { data } = useQuery(eventsQuery(hash))
  const [isShown, setShown] = useState(false)
  const pairs = credentialsOf(data?.events ?? [])
  if (pairs.length === 0) return null
  return (
    <section>
      <h2>{words.incident.tried}</h2>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col">{words.incident.user}</th>
            <th scope="col">
              {words.incident.password}{' '}
              <Button look="quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
                {isShown ? words.incident.hidePassword : words.incident.showPassword}
              </Button>
            </th>
            <th scope="col">{words.inbox.columns.count}</th>
            <th scope="col">{words.incident.first}</th>
          </tr>
        </thead>
        <tbody>
          {pairs.slice(0, MOST).map(({ user, password, times, first }, at) => (
            <tr key={at}>
              <td className={css['mono']}>
                <Evidence text={user} />
              </td>
              <td className={css['mono']}>
                {password !== undefined && (isShown ? <Evidence text={password} /> : '••••••')}
              </td>
              <td>{words.inbox.times(times)}</td>
              <td>
                <Time atS={first} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {pairs.length > MOST && <p>{words.incident.more(pairs.length - MOST)}</p>}
    </section>
  )
}
