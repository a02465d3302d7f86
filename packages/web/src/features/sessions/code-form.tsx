// One field for a code, or the password, and what the console says of it.
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Button } from '../../kit/button.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { Problem } from '../../problem.ts'
import css from '../../shell/outside.module.css'
import { accountWords } from '../../words/account.ts'
import { words } from '../../words/en.ts'

interface CodeFormProps {
  readonly help?: string
  /** Six digits, and not letters as well. */
  readonly isDigits?: boolean
  readonly isPassword?: boolean
  readonly submit: string
  readonly onGive: (given: string) => Promise<void>
}

export function CodeForm({ help, isDigits = false, isPassword = false, submit, onGive }: CodeFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  // Wrong codes are a 401, or a 400 that names the field.
  const isWrong = problem instanceof Problem && ['unauthenticated', 'bad-input'].includes(problem.code)
  useEffect(() => {
    if (isWrong) form.current?.querySelector('input')?.select()
  }, [isWrong, problem])
  const give = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const given = String(new FormData(event.currentTarget).get('given'))
    setBusy(true)
    setProblem(undefined)
    try {
      await onGive(given)
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} className={css['form']} onSubmit={(event) => void give(event)}>
      <TextField
        label={isPassword ? words.session.password : accountWords.step.code}
        name="given"
        type={isPassword ? 'password' : 'text'}
        autoComplete={isPassword ? 'current-password' : isDigits ? 'one-time-code' : 'off'}
        inputMode={isDigits ? 'numeric' : undefined}
        spellCheck={false}
        help={help}
        error={isWrong ? (Object.values(problem.details)[0] ?? problem.message) : undefined}
        required
        autoFocus
      />
      {problem !== undefined && !isWrong && <ProblemBox error={problem} />}
      <Button type="submit" look="primary" aria-busy={isBusy || undefined}>
        {submit}
      </Button>
    </form>
  )
}
