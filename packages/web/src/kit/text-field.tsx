import { useId, useLayoutEffect, useRef, type InputHTMLAttributes } from 'react'
import css from './text-field.module.css'

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string
  readonly help?: string | undefined
  /** What is wrong with the value, in the console's words. */
  readonly error?: string | undefined
}

export function TextField({ label, help, error, autoFocus = false, ...rest }: TextFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // A page that comes behind an open dialog leaves the focus to it: somebody types there.
  useLayoutEffect(() => {
    const dialog = document.querySelector('[role="dialog"]')
    if (autoFocus && (!dialog || dialog.contains(input.current))) input.current?.focus()
  }, [autoFocus])
  const notes = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        ref={input}
        id={id}
        className={css['input']}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={notes || undefined}
      />
      {help && (
        <p id={`${id}-help`} className={css['help']}>
          {help}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={css['error']}>
          {error}
        </p>
      )}
    </div>
  )
}
