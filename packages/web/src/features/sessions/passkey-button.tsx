import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { openSession } from '../../session/open-session.ts'
import { askPasskey, whyNoPasskey } from '../../session/passkeys.ts'
import type { SessionState } from '../../session/session-query.ts'
import { accountWords } from '../../words/account.ts'

interface PasskeyButtonProps {
  readonly onDone: (session: SessionState) => void
  readonly onProblem: (problem: unknown) => void
  readonly look?: 'plain' | 'primary'
}

/** Not there where a passkey cannot work. */
export function PasskeyButton({ onDone, onProblem, look = 'plain' }: PasskeyButtonProps) {
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const use = async () => {
    if (isBusy) return
    setBusy(true)
    onProblem(undefined)
    try {
      const { page_half } = await askPasskey()
      onDone(await openSession(queries, page_half))
    } catch (error) {
      onProblem(error)
    } finally {
      setBusy(false)
    }
  }
  if (whyNoPasskey() !== undefined) return null
  return (
    <Button look={look} aria-busy={isBusy || undefined} onClick={() => void use()}>
      {accountWords.step.usePasskey}
    </Button>
  )
}
