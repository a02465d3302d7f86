// A second factor is required of all: who has none adds one right after the password.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { openSession } from '../../session/open-session.ts'
import { pageHalf } from '../../session/page-half.ts'
import type { SessionState } from '../../session/session-query.ts'
import { StepTitle } from '../../kit/step-title.tsx'
import css from '../../shell/outside.module.css'
import { accountWords } from '../../words/account.ts'
import { AddApp } from '../me/add-app.tsx'
import { AddPasskey } from '../me/add-passkey.tsx'
import { Codes } from '../me/codes.tsx'

export function Enrol({ onDone }: { readonly onDone: (session: SessionState) => void }) {
  const queries = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()
  const finish = async () => onDone(await openSession(queries, pageHalf.read() ?? ''))
  return (
    <div className={css['form']}>
      <StepTitle title={accountWords.enrol.title} />
      {codes === undefined ? (
        <>
          <p className={css['lead']}>{accountWords.enrol.lead}</p>
          <AddPasskey onAdded={setCodes} />
          <AddApp onAdded={setCodes} />
        </>
      ) : (
        <Codes codes={codes} onStored={() => void finish()} />
      )}
    </div>
  )
}
