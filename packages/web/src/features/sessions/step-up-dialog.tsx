// A call asked for another proof: a person who gives it goes on where they were.
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { pageHalf } from '../../session/page-half.ts'
import { whyNoPasskey } from '../../session/passkeys.ts'
import css from '../../shell/dialog.module.css'
import { accountWords } from '../../words/account.ts'
import { factorsQuery } from '../me/queries.ts'
import { CodeForm } from './code-form.tsx'
import { PasskeyButton } from './passkey-button.tsx'

type Way = 'password' | 'code' | 'recovery_code'

export function StepUpDialog({ onEnd }: { readonly onEnd: (isProven: boolean) => void }) {
  const factors = useQuery(factorsQuery)
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onEnd(false)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css['backdrop']} />
        <Dialog.Popup className={css['dialog']}>
          <Dialog.Title>{accountWords.stepUp.title}</Dialog.Title>
          <Dialog.Description className={css['note']}>{accountWords.stepUp.lead}</Dialog.Description>
          {factors.isPending ? (
            <Loading rows={2} />
          ) : (
            <Ways
              hasApp={factors.data?.totp === true}
              hasCodes={(factors.data?.recovery_codes ?? 0) > 0}
              hasPasskey={factors.data?.passkeys.some(({ rp_id }) => rp_id === location.hostname) === true}
              onDone={() => onEnd(true)}
            />
          )}
          <Dialog.Close className={css['close']}>{accountWords.stepUp.cancel}</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface WaysProps {
  readonly hasApp: boolean
  readonly hasCodes: boolean
  readonly hasPasskey: boolean
  readonly onDone: () => void
}

function Ways({ hasApp, hasCodes, hasPasskey, onDone }: WaysProps) {
  const [way, setWay] = useState<Way>(hasApp ? 'code' : 'password')
  const [problem, setProblem] = useState<unknown>()
  const others = (['code', 'password', 'recovery_code'] as const).filter(
    (it) => it !== way && (it === 'password' || (it === 'code' ? hasApp : hasCodes)),
  )
  const give = async (given: string) => {
    const { page_half } = await call('sessions', 'stepUp', { [way]: given })
    pageHalf.write(page_half)
    onDone()
  }
  return (
    <>
      {hasPasskey && whyNoPasskey() === undefined && <PasskeyButton onDone={onDone} onProblem={setProblem} />}
      {problem !== undefined && <ProblemBox error={problem} />}
      <CodeForm
        key={way}
        isDigits={way === 'code'}
        isPassword={way === 'password'}
        {...(way !== 'password' && {
          help: way === 'code' ? accountWords.step.codeHelp : accountWords.step.recoveryHelp,
        })}
        submit={accountWords.stepUp.confirm}
        onGive={give}
      />
      {others.map((it) => (
        <Button key={it} look="quiet" onClick={() => setWay(it)}>
          {LABELS[it]}
        </Button>
      ))}
    </>
  )
}

const LABELS: Record<Way, string> = {
  password: accountWords.step.usePassword,
  code: accountWords.step.useApp,
  recovery_code: accountWords.step.useRecovery,
}
