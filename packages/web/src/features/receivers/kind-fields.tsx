// The fields of a kind of receiver, as the console names them: a new kind needs no change of the page.
import { AreaField, CheckField, SelectField } from '../../kit/form-fields.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { labelOf } from './form-values.ts'
import type { FormField } from './queries.ts'
import { receiverWords } from './words.ts'

interface KindFieldsProps {
  readonly fields: readonly FormField[]
  /** What is set already, by name. */
  readonly values: Readonly<Record<string, string>>
  /** What the console says of them, by name. */
  readonly errors: Readonly<Record<string, string>>
}

export function KindFields({ fields, values, errors }: KindFieldsProps) {
  return fields.map((field) => (
    <KindFieldRow key={field.name} field={field} value={values[field.name]} error={errors[field.name]} />
  ))
}

interface RowProps {
  readonly field: FormField
  readonly value: string | undefined
  readonly error: string | undefined
}

function KindFieldRow({ field, value, error }: RowProps) {
  const { name, type, is_required: required, is_secret: isSecret, choices } = field
  const common = { name, label: labelOf(name), help: helpOf(field), error }
  const limit = field.max_length === null ? {} : { maxLength: field.max_length }
  if (type === 'switch') return <CheckField {...common} defaultChecked={field.default === 'true'} />
  if (type === 'choice')
    return (
      <SelectField {...common} required={required} defaultValue={field.default ?? ''}>
        {choices.map((it) => (
          <option key={it}>{it}</option>
        ))}
      </SelectField>
    )
  if (type === 'lines' || type === 'list' || type === 'map')
    return (
      <AreaField
        {...common}
        {...limit}
        required={required || type === 'list'}
        defaultValue={value?.replaceAll(',', '\n')}
        spellCheck={false}
        autoComplete="off"
      />
    )
  return (
    <TextField
      {...common}
      {...limit}
      required={required}
      type={isSecret ? 'password' : type === 'number' ? 'number' : 'text'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      spellCheck={false}
    />
  )
}

/** The reference says the same to programs: what is an extension, and that a map is a JSON object. */
function helpOf({ type, description }: FormField): string {
  const text = description.replace(/^Extension: /, '').replace(/: a JSON object.*/, '')
  const more = type === 'map' ? [receiverWords.add.pairs] : type === 'list' ? [receiverWords.add.entries] : []
  return [`${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`, ...more].join(' ')
}
