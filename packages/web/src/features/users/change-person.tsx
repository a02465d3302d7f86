// A person's address, access and note. What stays as it was is not sent.
import { Dialog } from '@base-ui/react/dialog'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { AreaField, SelectField } from '../../kit/form-fields.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { Problem } from '../../problem.ts'
import dialog from '../../shell/dialog.module.css'
import { words } from '../../words/en.ts'
import css from './people.module.css'
import type { User } from './queries.ts'

interface ChangePersonProps {
  readonly user: User
  /** Nobody takes the access of an admin from themselves by mistake. */
  readonly isOneself: boolean
  readonly onClose: () => void
  readonly onDone: (email: string) => void
}

export function ChangePerson({ user, isOneself, onClose, onDone }: ChangePersonProps) {
  const { email, access_level, note } = user
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const details = problem instanceof Problem ? problem.details : {}
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const form = new FormData(event.currentTarget)
    const given = {
      new_email: String(form.get('email')).trim(),
      access_level: String(form.get('access') ?? access_level) as 'admin' | 'user',
      note: String(form.get('note')).replaceAll('\r\n', '\n'),
    }
    setBusy(true)
    setProblem(undefined)
    try {
      await call('users', 'update', {
        email,
        ...(given.new_email !== email && { new_email: given.new_email }),
        ...(given.access_level !== access_level && { access_level: given.access_level }),
        ...(given.note !== note && { note: given.note }),
      })
      onDone(given.new_email)
    } catch (failed) {
      setProblem(failed)
      setBusy(false)
    }
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog['backdrop']} />
        <Dialog.Popup className={dialog['dialog']}>
          <Dialog.Title>
            <Evidence text={email} />
          </Dialog.Title>
          <form className={dialog['form']} onSubmit={(event) => void save(event)}>
            <TextField
              label={words.session.email}
              name="email"
              type="email"
              autoComplete="off"
              required
              maxLength={254}
              defaultValue={email}
              help={words.people.newAddress}
              error={details['new_email']}
            />
            {!isOneself && (
              <SelectField label={words.people.access} name="access" defaultValue={access_level}>
                <option value="user">{words.people.user}</option>
                <option value="admin">{words.people.admin}</option>
              </SelectField>
            )}
            <AreaField
              label={words.people.note}
              name="note"
              maxLength={10_000}
              defaultValue={note}
              error={details['note']}
            />
            {problem !== undefined && Object.keys(details).length === 0 && <ProblemBox error={problem} />}
            <p className={css['actions']}>
              <Button type="submit" look="primary" aria-busy={isBusy || undefined}>
                {words.people.save}
              </Button>
              <Dialog.Close className={dialog['close']}>{words.action.cancel}</Dialog.Close>
            </p>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
