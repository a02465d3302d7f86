import { useState, type FormEvent } from 'react'
import { Button } from '../../kit/button.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { makePasskey, whyNoPasskey } from '../../session/passkeys.ts'
import { accountWords } from '../../words/account.ts'
import css from './me.module.css'

interface AddPasskeyProps {
  /** Gets the recovery codes that came with it. */
  readonly onAdded: (codes: readonly string[]) => void
}

export function AddPasskey({ onAdded }: AddPasskeyProps) {
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (isBusy || whyNoPasskey() !== undefined) return
    setBusy(true)
    setProblem(undefined)
    try {
      const { recovery_codes } = await makePasskey(String(new FormData(form).get('name')))
      form.reset()
      onAdded(recovery_codes)
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={css['adding']} onSubmit={(event) => void add(event)}>
      <TextField
        label={accountWords.security.passkeyName}
        name="name"
        help={accountWords.security.passkeyNameHelp}
        maxLength={100}
        autoComplete="off"
        required
      />
      {problem !== undefined && <ProblemBox error={problem} />}
      <p className={css['actions']}>
        <Button type="submit" reason={whyNoPasskey()} aria-busy={isBusy || undefined}>
          {accountWords.security.addPasskey}
        </Button>
      </p>
    </form>
  )
}
