// Who uses the console, and what they may do in which Flock. Admins alone see it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhyNot } from '../../can.ts'
import { Command } from '../../kit/command.tsx'
import { Time } from '../../kit/age.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { words } from '../../words/en.ts'
import { InviteForm } from './invite-form.tsx'
import css from './people.module.css'
import { PersonRow } from './person-row.tsx'
import { flocksQuery, usersQuery, type Made } from './queries.ts'

export function People() {
  const reason = useWhyNot('users', 'list')
  return (
    <div className={css['page']}>
      <PageHeading title={words.people.title} />
      {reason === undefined ? <Everybody /> : <p>{reason}</p>}
    </div>
  )
}

function Everybody() {
  const users = useQuery(usersQuery)
  const flocks = useQuery(flocksQuery)
  const [made, setMade] = useState<Made>()
  const error = users.error ?? flocks.error
  if (error)
    return <ProblemBox error={error} onRetry={() => void Promise.all([users.refetch(), flocks.refetch()])} />
  if (!users.data || !flocks.data) return <Loading rows={6} />
  const columns = Object.entries(flocks.data.flocks)
  return (
    <>
      <p className={css['lead']}>{words.people.lead}</p>
      {made && <MadeLink made={made} />}
      <div className={css['scroll']} tabIndex={0} role="region" aria-label={words.people.table}>
        <table className={css['table']}>
          <thead>
            <tr>
              <th scope="col">{words.people.person}</th>
              <th scope="col">{words.people.access}</th>
              {columns.map(([id, name]) => (
                <th scope="col" key={id}>
                  <Evidence text={name} />
                </th>
              ))}
              <th scope="col">{words.people.lastSignIn}</th>
              <th scope="col">{words.people.actions}</th>
            </tr>
          </thead>
          <tbody>
            {users.data.users.map((user) => (
              <PersonRow key={user.id} user={user} flocks={columns} onLink={setMade} />
            ))}
          </tbody>
        </table>
      </div>
      <ErrorBoundary>
        <InviteForm flocks={columns} onLink={setMade} />
      </ErrorBoundary>
    </>
  )
}

function MadeLink({ made: { email, link } }: { readonly made: Made }) {
  return (
    <section role="status" className={css['made']}>
      <p>
        {words.people.linkFor} <Evidence text={email} />. {words.people.linkWorks} <Time atS={link.expires} />
        {words.people.linkOnce} {link.mailed ? words.people.mailed : words.people.notMailed}{' '}
        {link.mail_reason !== '' && <Evidence text={link.mail_reason} />}
      </p>
      <Command label={words.people.link} command={link.url} />
    </section>
  )
}
