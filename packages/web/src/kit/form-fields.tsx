// Fields besides the line of text: a choice, a text of several lines, a box to tick. Each says what is wrong with it.
import { useId, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes } from 'react'
import css from './text-field.module.css'

interface FieldProps {
  readonly label: string
  readonly help?: string | undefined
  /** What is wrong with the value, in the console's words. */
  readonly error?: string | undefined
}

interface ControlProps {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

interface FieldFrameProps extends FieldProps {
  readonly children: (props: ControlProps) => ReactNode
}

/** The label, the control, and what there is to say of it. */
export function Field({ label, help, error, children }: FieldFrameProps) {
  const id = useId()
  const notes = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': notes || undefined,
      })}
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

type SelectFieldProps = FieldProps & SelectHTMLAttributes<HTMLSelectElement>

export function SelectField({ label, help, error, children, ...rest }: SelectFieldProps) {
  return (
    <Field {...{ label, help, error }}>
      {(props) => (
        <select {...rest} {...props} className={css['input']}>
          {children}
        </select>
      )}
    </Field>
  )
}

type AreaFieldProps = FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>

export function AreaField({ label, help, error, ...rest }: AreaFieldProps) {
  return (
    <Field {...{ label, help, error }}>
      {(props) => <textarea rows={3} {...rest} {...props} className={css['input']} />}
    </Field>
  )
}

interface CheckFieldProps extends FieldProps {
  readonly name: string
  readonly defaultChecked?: boolean
}

export function CheckField({ label, help, error, ...rest }: CheckFieldProps) {
  const id = useId()
  return (
    <div className={css['field']}>
      <label className={css['check']}>
        <input type="checkbox" {...rest} aria-describedby={help || error ? id : undefined} />
        {label}
      </label>
      {(help ?? error) !== undefined && (
        <p id={id} className={error === undefined ? css['help'] : css['error']}>
          {error ?? help}
        </p>
      )}
    </div>
  )
}
