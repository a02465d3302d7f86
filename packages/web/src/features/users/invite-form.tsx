import { useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { plainEvidence } from '../../kit/evidence.tsx'
import { hostile } from '../../kit/hostile.ts'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { Problem } from '../../problem.ts'
import { words } from '../../words/en.ts'
import css from './people.module.css'
import { usersQuery, type Made } from './queries.ts'

interface InviteFormProps {
  readonly flocks: readonly (readonly [string, string])[]
  readonly onLink: (made: Made) => void
}

export function InviteForm({ flocks, onLink }: InviteFormProps) {
  const id = useId()
  const queries = useQueryClient()
  const [role, setRole] = useState<'watcher' | 'manager' | 'admin'>('watcher')
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A form sent twice invites once.
    if (isBusy) return
    const form = event.currentTarget
    const given = new FormData(form)
    const email = String(given.get('email'))
    setBusy(true)
    setProblem(undefined)
    try {
      const link = await call('users', 'invite', {
        email,
        ...(role === 'admin'
          ? { access_level: role }
          : { access_level: 'user' as const, role, flock_id: String(given.get('flock')) }),
      })
      form.reset()
      setRole('watcher')
      onLink({ email: email.trim(), link })
      await queries.invalidateQueries({ queryKey: usersQuery.queryKey })
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const details = problem instanceof Problem ? problem.details : {}
  return (
    <section>
      <h2>{words.people.inviteTitle}</h2>
      <form className={css['invite']} onSubmit={(event) => void submit(event)}>
        <TextField
          label={words.session.email}
          name="email"
          type="email"
          autoComplete="off"
          required
          error={details['email']}
        />
        <div className={css['choice']}>
          <label htmlFor={`${id}-role`}>{words.people.role}</label>
          <select
            id={`${id}-role`}
            value={role}
            onChange={(event) => setRole(event.target.value as typeof role)}
          >
            <option value="watcher">{words.people.roles.watcher}</option>
            <option value="manager">{words.people.roles.manager}</option>
            <option value="admin">{words.people.admin}</option>
          </select>
        </div>
        {role !== 'admin' && (
          <div className={css['choice']}>
            <label htmlFor={`${id}-flock`}>{words.people.flock}</label>
            <select id={`${id}-flock`} name="flock">
              {flocks.map(([id, name]) => (
                <option key={id} value={id}>
                  {plainEvidence(hostile(name), 60)}
                </option>
              ))}
            </select>
          </div>
        )}
        <Button type="submit" look="primary" aria-busy={isBusy || undefined}>
          {words.people.invite}
        </Button>
      </form>
      <p className={css['lead']}>{words.people.means[role]}</p>
      {problem !== undefined && details['email'] === undefined && <ProblemBox error={problem} />}
    </section>
  )
}
