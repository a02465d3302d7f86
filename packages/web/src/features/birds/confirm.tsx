// A question before something that cannot be undone; with a word, it must be typed first.
import { Dialog } from '@base-ui/react/dialog'
import { useState, type ReactNode } from 'react'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/text-field.tsx'
import css from '../../shell/dialog.module.css'
import { birdWords } from './words.ts'

interface ConfirmProps {
  readonly title: ReactNode
  readonly text: string
  readonly verb: string
  readonly word?: string
  readonly look?: 'primary' | 'danger'
  readonly onClose: () => void
  readonly onConfirm: () => void
  readonly children?: ReactNode
}

export function Confirm({
  title,
  text,
  verb,
  word,
  look = 'danger',
  onClose,
  onConfirm,
  children,
}: ConfirmProps) {
  const [typed, setTyped] = useState('')
  const isReady = word === undefined || typed.trim().toLowerCase() === word.trim().toLowerCase()
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css['backdrop']} />
        <Dialog.Popup className={css['dialog']}>
          <Dialog.Title>{title}</Dialog.Title>
          <p>{text}</p>
          {children}
          <form
            className={css['form']}
            onSubmit={(event) => {
              event.preventDefault()
              if (isReady) onConfirm()
            }}
          >
            {word !== undefined && (
              <TextField
                label={birdWords.typeWord(word)}
                value={typed}
                autoComplete="off"
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
            <p>
              <Button type="submit" look={look} reason={isReady ? undefined : birdWords.typeWord(word)}>
                {verb}
              </Button>{' '}
              <Dialog.Close className={css['close']}>{birdWords.cancel}</Dialog.Close>
            </p>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
