// The keys of the list and of an incident, by `?`.
import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import { words } from '../words/en.ts'
import css from './dialog.module.css'

export function KeySheet({ onClose }: { readonly onClose: () => void }) {
  const sheet = useRef<HTMLDivElement>(null)
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css['backdrop']} />
        {/* Close is at the end of it, and a small window would begin there. */}
        <Dialog.Popup ref={sheet} initialFocus={sheet} className={css['dialog']}>
          <Dialog.Title>{words.keys.title}</Dialog.Title>
          <dl className={css['keys']}>
            {words.keys.all.map(([keys, does]) => (
              <div key={keys}>
                <dt>
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <p className={css['note']}>{words.keys.where}</p>
          <Dialog.Close className={css['close']}>{words.action.close}</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
