// One person: a role for each Flock, and what an admin can do about their way in.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { secondsOf, Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { ConfirmButton } from '../../kit/confirm-button.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { useToast } from '../../kit/toast.tsx'
import { explain } from '../../problem.ts'
import { sessionQuery } from '../../session/session-query.ts'
import { words } from '../../words/en.ts'
import { Confirm } from '../birds/confirm.tsx'
import { ChangePerson } from './change-person.tsx'
import css from './people.module.css'
import { usersQuery, type Made, type User } from './queries.ts'

type Role = '' | 'manager' | 'watcher'

interface PersonRowProps {
  readonly user: User
  /** Id and name of each Flock. */
  readonly flocks: readonly (readonly [string, string])[]
  readonly onLink: (made: Made) => void
}

export function PersonRow({ user, flocks, onLink }: PersonRowProps) {
  const queries = useQueryClient()
  const say = useToast()
  const [isBusy, setBusy] = useState(false)
  const { email } = user
  const isDisabled = user.disabled === 'True'
  const isAdmin = user.access_level === 'admin'
  /** Runs one change at a time; what was refused says why, and the list shows what is so. */
  const run = async (change: () => Promise<string>) => {
    if (isBusy) return
    setBusy(true)
    try {
      say({ text: await change() })
    } catch (error) {
      const { title, text } = explain(error)
      say({ text: `${words.inbox.refused} ${title} ${text}` })
    } finally {
      setBusy(false)
      await queries.invalidateQueries({ queryKey: usersQuery.queryKey })
    }
  }
  const setRole = (flock_id: string, role: Role) =>
    run(async () => {
      if (role === '') await call('users', 'unassign', { email, flock_id })
      else await call('users', 'assign', { email, flock_id, role })
      return words.people.roleSaid(email, role)
    })
  const state = isDisabled ? words.people.disabled : user.has_password ? '' : words.people.invited
  return (
    <tr data-disabled={isDisabled || undefined}>
      <th scope="row">
        <Evidence text={email} />
        {state !== '' && <span className={css['state']}>{state}</span>}
      </th>
      <td data-label={words.people.access}>{isAdmin ? words.people.admin : words.people.user}</td>
      {flocks.map(([id, name]) => (
        <td key={id} data-label={plainEvidence(name, 40)}>
          {isAdmin ? (
            words.people.all
          ) : (
            <select
              className={css['role']}
              aria-label={words.people.roleOf(email, name)}
              value={roleIn(user, id)}
              aria-busy={isBusy || undefined}
              onChange={(event) => void setRole(id, event.target.value as Role)}
            >
              <option value="">{words.people.roles.none}</option>
              <option value="watcher">{words.people.roles.watcher}</option>
              <option value="manager">{words.people.roles.manager}</option>
            </select>
          )}
        </td>
      ))}
      <td className={css['time']} data-label={words.people.lastSignIn}>
        {user.most_recent_login_time ? (
          <Time atS={secondsOf(user.most_recent_login_time)} />
        ) : (
          words.people.never
        )}
      </td>
      <td>
        <div className={css['actions']}>
          <WaysIn user={user} run={run} onLink={onLink} />
          <Record user={user} run={run} />
        </div>
      </td>
    </tr>
  )
}

interface WaysInProps extends Pick<PersonRowProps, 'user' | 'onLink'> {
  readonly run: (change: () => Promise<string>) => Promise<void>
}

/** What an admin can do about a person's way in. */
function WaysIn({ user, run, onLink }: WaysInProps) {
  const { me } = useSuspenseQuery(sessionQuery).data
  const { email } = user
  const isDisabled = user.disabled === 'True'
  const hasFactor = user.totp_enabled === 'True' || user.webauthn_enabled
  const makeLink = () =>
    run(async () => {
      const link = user.has_password
        ? await call('users', 'resetLink', { email })
        : await call('users', 'invite', {
            email,
            access_level: user.access_level === 'admin' ? 'admin' : 'user',
          })
      onLink({ email, link })
      return words.people.linkMade
    })
  const endSessions = () =>
    run(async () => words.people.ended((await call('users', 'endSessions', { email })).count))
  const resetFactors = () =>
    run(async () => {
      await call('users', 'resetFactors', { email })
      return words.people.factorsReset(email)
    })
  const toggle = () =>
    run(async () => {
      await call('users', isDisabled ? 'enable' : 'disable', { email })
      return isDisabled ? words.people.enabledSaid(email) : words.people.disabledSaid(email)
    })
  return (
    <>
      <Button onClick={() => void makeLink()} reason={isDisabled ? words.people.enableFirst : undefined}>
        {user.has_password ? words.people.resetLink : words.people.inviteAgain}
      </Button>
      <Button onClick={() => void endSessions()}>{words.people.endSessions}</Button>
      <ConfirmButton
        label={words.people.resetFactors}
        question={words.people.reallyResetFactors}
        reason={hasFactor ? undefined : words.people.noFactor}
        onConfirm={() => void resetFactors()}
      />
      <Button
        look={isDisabled ? 'plain' : 'danger'}
        onClick={() => void toggle()}
        reason={me?.email === email && !isDisabled ? words.people.notYourself : undefined}
      >
        {isDisabled ? words.people.enable : words.people.disable}
      </Button>
    </>
  )
}

/** The record of a person: changed, or deleted after their address is typed. */
function Record({ user, run }: Pick<WaysInProps, 'user' | 'run'>) {
  const queries = useQueryClient()
  const { me } = useSuspenseQuery(sessionQuery).data
  const { email } = user
  const isOneself = me?.email === email
  const [asked, setAsked] = useState<'change' | 'remove' | undefined>()
  const close = () => setAsked(undefined)
  const changed = (now: string) => {
    close()
    if (isOneself) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    return run(() => Promise.resolve(words.people.changed(now)))
  }
  const remove = () => {
    close()
    return run(async () => {
      await call('users', 'remove', { email })
      return words.people.removed(email)
    })
  }
  return (
    <>
      <Button onClick={() => setAsked('change')}>{words.people.change}</Button>
      <Button
        look="danger"
        onClick={() => setAsked('remove')}
        reason={isOneself ? words.people.notYourself : undefined}
      >
        {words.people.remove}
      </Button>
      {asked === 'change' && (
        <ChangePerson user={user} isOneself={isOneself} onClose={close} onDone={(now) => void changed(now)} />
      )}
      {asked === 'remove' && (
        <Confirm
          title={words.people.removeAsk(plainEvidence(email, 80))}
          text={words.people.removeText}
          word={email}
          verb={words.action.remove}
          onClose={close}
          onConfirm={() => void remove()}
        />
      )}
    </>
  )
}

function roleIn({ managed_flocks, watched_flocks }: User, flockId: string): Role {
  if (managed_flocks.split(',').includes(flockId)) return 'manager'
  return watched_flocks.split(',').includes(flockId) ? 'watcher' : ''
}
