// Recovery codes, shown once. They take the focus: the form that they replace has it no more.
import { useEffect, useRef } from 'react'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { accountWords } from '../../words/account.ts'
import css from './me.module.css'

interface CodesProps {
  readonly codes: readonly string[]
  readonly onStored: () => void
}

export function Codes({ codes, onStored }: CodesProps) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <section ref={box} tabIndex={-1} className={css['codes']} aria-label={accountWords.security.recovery}>
      <p role="status">{accountWords.security.codesLead}</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className={css['actions']}>
        <CopyButton text={codes.join('\n')} />
        <Button look="primary" onClick={onStored}>
          {accountWords.security.stored}
        </Button>
      </p>
    </section>
  )
}
