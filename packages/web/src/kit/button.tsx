// A button. Disabled ones stay focusable and say why, so that nobody has to guess; one of a form does not send it.
import { useId, useLayoutEffect, useRef, type ButtonHTMLAttributes } from 'react'
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
  const element = useRef<HTMLButtonElement>(null)
  const hasFocus = useRef(false)
  const isDisabled = reason !== undefined
  // The frame of a reason makes another element of it: the focus stays with it.
  useLayoutEffect(() => {
    if (hasFocus.current) element.current?.focus()
  }, [isDisabled])
  const button = (
    <button
      type="button"
      {...rest}
      ref={element}
      onFocus={(event) => {
        hasFocus.current = true
        rest.onFocus?.(event)
      }}
      onBlur={(event) => {
        hasFocus.current = false
        rest.onBlur?.(event)
      }}
      className={[css['button'], css[look], className].filter(Boolean).join(' ')}
      aria-disabled={isDisabled || undefined}
      aria-describedby={isDisabled ? id : undefined}
      aria-keyshortcuts={shortcut}
      onClick={isDisabled ? (event) => event.preventDefault() : onClick}
    >
      {children}
      {shortcut && (
        <kbd className={css['key']} aria-hidden="true">
          {shortcut}
        </kbd>
      )}
    </button>
  )
  if (!isDisabled) return button
  return (
    <span className={css['reasoned']}>
      {button}
      <span role="tooltip" id={id} className={css['reason']}>
        {reason}
      </span>
    </span>
  )
}
