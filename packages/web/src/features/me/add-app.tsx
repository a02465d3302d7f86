// Setting up an authenticator app: a QR code, the secret for those who type it, and the first code.
import { useState } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { QrCode } from '../../kit/qr-code.tsx'
import { accountWords } from '../../words/account.ts'
import { words } from '../../words/en.ts'
import { CodeForm } from '../sessions/code-form.tsx'
import css from './me.module.css'

interface AddAppProps {
  /** Gets the recovery codes that came with it. */
  readonly onAdded: (codes: readonly string[]) => void
}

export function AddApp({ onAdded }: AddAppProps) {
  const [begun, setBegun] = useState<AnswerOf<'me', 'beginTotp'>>()
  const [problem, setProblem] = useState<unknown>()
  const begin = () => {
    setProblem(undefined)
    call('me', 'beginTotp').then(setBegun, setProblem)
  }
  if (begun === undefined)
    return (
      <>
        <p className={css['actions']}>
          <Button onClick={begin}>{accountWords.security.addApp}</Button>
        </p>
        {problem !== undefined && <ProblemBox error={problem} onRetry={begin} />}
      </>
    )
  return (
    <div className={css['adding']}>
      <p>{accountWords.security.appHow}</p>
      <QrCode label={accountWords.security.qr} text={begun.uri} />
      <p className={css['secret']}>
        {accountWords.security.secret} <code>{begun.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>{' '}
        <CopyButton text={begun.secret} />
      </p>
      <CodeForm
        isDigits
        help={accountWords.step.codeHelp}
        submit={words.action.continue}
        onGive={async (code) => onAdded((await call('me', 'confirmTotp', { code })).recovery_codes)}
      />
    </div>
  )
}
