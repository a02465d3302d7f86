// A button for what cannot be undone: it asks once, in place.
import { useState } from 'react'
import { words } from '../words/en.ts'
import { Button } from './button.tsx'
import css from './button.module.css'

interface ConfirmButtonProps {
  readonly label: string
  /** What happens, as a question. */
  readonly question: string
  /** Why it cannot be pressed. */
  readonly reason?: string | undefined
  readonly onConfirm: () => void
}

export function ConfirmButton({ label, question, reason, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false)
  if (!isAsking)
    return (
      <Button look="danger" reason={reason} onClick={() => setAsking(true)}>
        {label}
      </Button>
    )
  return (
    <span role="group" aria-label={question} className={css['confirm']}>
      {question}
      <Button
        look="danger"
        autoFocus
        onClick={() => {
          setAsking(false)
          onConfirm()
        }}
      >
        {label}
      </Button>
      <Button look="quiet" onClick={() => setAsking(false)}>
        {words.action.cancel}
      </Button>
    </span>
  )
}
