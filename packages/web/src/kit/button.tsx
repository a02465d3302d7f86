// A button. Disabled ones stay focusable and say why, so that nobody has to guess; one of a form does not send it.
import { useId, type ButtonHTMLAttributes } from 'react'
import css from './button.module.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet'
  /** Why it cannot be pressed; with it the button is disabled. */
  readonly reason?: string | undefined
  /** The key that does the same. */
  readonly shortcut?: string
}

export function Button({
  look = 'plain',
  reason,
  shortcut,
  children,
  onClick,
  className,
  ...rest
}: ButtonProps) {
  const id = useId()
  const button = (
    <button
      type="button"
      {...rest}
      className={[css['button'], css[look], className].filter(Boolean).join(' ')}
      aria-disabled={reason !== undefined || undefined}
      aria-describedby={reason === undefined ? undefined : id}
      aria-keyshortcuts={shortcut}
      onClick={reason === undefined ? onClick : (event) => event.preventDefault()}
    >
      {children}
      {shortcut && (
        <kbd className={css['key']} aria-hidden="true">
          {shortcut}
        </kbd>
      )}
    </button>
  )
  if (reason === undefined) return button
  return (
    <span className={css['reasoned']}>
      {button}
      <span role="tooltip" id={id} className={css['reason']}>
        {reason}
      </span>
    </span>
  )
}
