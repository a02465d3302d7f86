// The session ended while somebody was at work: they sign in over the page, and what they typed is still there.
import { Dialog } from '@base-ui/react/dialog'
import css from '../../shell/dialog.module.css'
import { words } from '../../words/en.ts'
import { SignInForm } from './sign-in-form.tsx'

export function SignInAgain({ email }: { readonly email: string | undefined }) {
  return (
    <Dialog.Root open disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop className={css['backdrop']} />
        <Dialog.Popup className={css['dialog']}>
          <Dialog.Title>{words.session.ended}</Dialog.Title>
          <Dialog.Description className={css['note']}>{words.session.endedHow}</Dialog.Description>
          <SignInForm
            email={email}
            onDone={({ me }) => {
              // Somebody else must not find what the person before had on the screen.
              if (me?.email !== email) location.reload()
            }}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
