// The fields of a kind, as its descriptor names them: a new kind needs no change of the page.
import { useState } from 'react'
import { CheckField, Field, SelectField } from '../../kit/form-fields.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import fieldCss from '../../kit/text-field.module.css'
import { TextField } from '../../kit/text-field.tsx'
import { acceptOf, faultOfFile, labelOf } from './form-values.ts'
import type { KindField } from './queries.ts'
import { sizeText, words } from './words.ts'

interface KindFieldsProps {
  readonly fields: readonly KindField[]
  /** What the console says of them, by name. */
  readonly errors: Readonly<Record<string, string>>
  /** For a token that has them already: what is not given stays. */
  readonly isChange?: boolean
}

export function KindFields({ fields, errors, isChange = false }: KindFieldsProps) {
  return fields.map((field) => (
    <KindFieldRow key={field.name} field={field} error={errors[field.name]} isChange={isChange} />
  ))
}

interface RowProps {
  readonly field: KindField
  readonly error: string | undefined
  readonly isChange: boolean
}

function KindFieldRow({ field, error, isChange }: RowProps) {
  const { name, type, required, secret } = field
  const common = { name, label: labelOf(name), help: helpOf(field, isChange), error }
  const isRequired = required && !isChange
  if (type === 'file') return <FileField field={field} error={error} isRequired={isRequired} />
  if (type === 'boolean' && !isChange)
    return <CheckField {...common} defaultChecked={field.default === true} />
  if (type === 'choice' || type === 'boolean')
    return (
      <SelectField
        {...common}
        required={isRequired}
        defaultValue={isChange ? '' : String(field.default ?? '')}
      >
        {(isChange || field.default === null) && (
          <option value="">{isChange ? words.form.staysOne : words.form.notSaid}</option>
        )}
        {type === 'boolean' ? (
          <>
            <option value="true">{words.form.yes}</option>
            <option value="false">{words.form.no}</option>
          </>
        ) : (
          field.choices?.map((it) => <option key={it}>{it}</option>)
        )}
      </SelectField>
    )
  return (
    <TextField
      {...common}
      required={isRequired}
      autoComplete="off"
      spellCheck={false}
      {...(secret && { type: 'password', autoComplete: 'new-password' })}
      {...(type === 'url' && { inputMode: 'url' as const })}
    />
  )
}

function helpOf(
  { type, description, default: usual, min, max, max_items }: KindField,
  isChange: boolean,
): string {
  return [
    `${description}.`,
    ...(type === 'duration' && min && max ? [words.form.duration(min, max)] : []),
    ...(type === 'list' && max_items ? [words.form.list(max_items)] : []),
    ...(typeof usual === 'string' && type !== 'choice' && !isChange ? [words.form.asDefault(usual)] : []),
  ].join(' ')
}

function FileField({
  field,
  error,
  isRequired,
}: Omit<RowProps, 'isChange'> & { readonly isRequired: boolean }) {
  const [file, setFile] = useState<File | undefined>()
  const fault = file && faultOfFile(field, file)
  const help = `${field.description}. ${words.form.formats((field.formats ?? []).join(', '), sizeText(field.max_bytes ?? 0))}`
  return (
    <Field label={labelOf(field.name)} help={help} error={fault ?? error}>
      {(props) => (
        <>
          <input
            {...props}
            type="file"
            name={field.name}
            required={isRequired}
            accept={acceptOf(field)}
            className={fieldCss['input']}
            ref={(it) => it?.setCustomValidity(fault ?? '')}
            onChange={({ target }) => setFile(target.files?.[0])}
          />
          {file && (
            <p role="status">
              <Evidence text={words.form.chosen(file.name, sizeText(file.size))} />
            </p>
          )}
        </>
      )}
    </Field>
  )
}
