// After the password: a passkey, a code of the app, or a recovery code, as far as the person has them here.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Prose } from '../../kit/prose.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { openSession } from '../../session/open-session.ts'
import { pageHalf } from '../../session/page-half.ts'
import { whyNoPasskey } from '../../session/passkeys.ts'
import { sessionQuery, type SessionState } from '../../session/session-query.ts'
import { StepTitle } from '../../kit/step-title.tsx'
import css from '../../shell/outside.module.css'
import { accountWords } from '../../words/account.ts'
import { words } from '../../words/en.ts'
import { CodeForm } from './code-form.tsx'
import { PasskeyButton } from './passkey-button.tsx'

interface SecondStepProps {
  readonly ways: SessionState['ways']
  readonly onDone: (session: SessionState) => void
}

export function SecondStep({ ways, onDone }: SecondStepProps) {
  const queries = useQueryClient()
  const hasApp = ways.includes('totp')
  const hasCodes = ways.includes('recovery')
  const hasPasskey = ways.includes('passkey') && whyNoPasskey() === undefined
  const [isRecovery, setRecovery] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const give = async (code: string) => {
    const { page_half } = await call('sessions', isRecovery ? 'recovery' : 'totp', { code })
    onDone(await openSession(queries, page_half))
  }
  const startOver = async () => {
    await call('sessions', 'end').catch(() => undefined)
    pageHalf.clear()
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  const isForm = isRecovery ? hasCodes : hasApp
  return (
    <div className={css['form']}>
      <StepTitle title={accountWords.step.title} />
      <p className={css['lead']}>{accountWords.step.lead}</p>
      {!hasApp && !hasCodes && !hasPasskey && (
        <p role="alert">
          <Prose text={accountWords.step.noWay} />
        </p>
      )}
      {hasPasskey && (
        <PasskeyButton look={hasApp ? 'plain' : 'primary'} onDone={onDone} onProblem={setProblem} />
      )}
      {problem !== undefined && <ProblemBox error={problem} />}
      {isForm && (
        <CodeForm
          key={String(isRecovery)}
          help={isRecovery ? accountWords.step.recoveryHelp : accountWords.step.codeHelp}
          isDigits={!isRecovery}
          submit={words.action.signIn}
          onGive={give}
        />
      )}
      {hasCodes && (
        <Button look="quiet" onClick={() => setRecovery(!isRecovery)}>
          {!isRecovery
            ? accountWords.step.useRecovery
            : hasApp
              ? accountWords.step.useApp
              : words.action.close}
        </Button>
      )}
      <Button look="quiet" onClick={() => void startOver()}>
        {accountWords.step.over}
      </Button>
      {isRecovery && (
        <p className={css['lead']}>
          <Prose text={accountWords.step.lost} />
        </p>
      )}
    </div>
  )
}
