// One setting as a field, by its form. What the console says of it stands under it.
import { memo, useId } from 'react'
import { Evidence } from '../../kit/evidence.tsx'
import { birdWords } from '../birds/words.ts'
import { readText, textOf, type Edit } from './draft.ts'
import css from './bird.module.css'
import type { Setting } from './queries.ts'

interface SettingFieldProps {
  readonly name: string
  readonly setting: Setting
  readonly value: unknown
  readonly edit: Edit | undefined
  /** What is wrong with it, in the console's words. */
  readonly error: string | undefined
  readonly onEdit: (key: string, edit: Edit) => void
}

const { settings: said } = birdWords

export const SettingField = memo(function SettingField(props: SettingFieldProps) {
  const { name, setting, value, edit, onEdit } = props
  const id = useId()
  const error = edit?.error ?? props.error
  const help = [setting.secret && said.secretHelp, setting.fixed && said.fixed, setting.description].filter(
    Boolean,
  )
  const text = edit?.text ?? textOf(value)
  const common = {
    id,
    disabled: setting.fixed,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': `${id}-notes`,
  }
  const type = (typed: string) => onEdit(name, readText(setting, typed))
  return (
    <div className={css['field']} data-changed={edit !== undefined || undefined}>
      <label htmlFor={id}>{setting.title}</label>
      {setting.type === 'boolean' ? (
        <input
          {...common}
          type="checkbox"
          role="switch"
          className={css['switch']}
          checked={(edit?.value ?? value) === true}
          onChange={({ target }) => onEdit(name, { text: String(target.checked), value: target.checked })}
        />
      ) : setting.choices ? (
        <select
          {...common}
          className={css['input']}
          value={text}
          onChange={({ target }) => type(target.value)}
        >
          {[...new Set([...setting.choices, text])].map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : ['list', 'object', 'tree'].includes(setting.type) || text.includes('\n') ? (
        <textarea
          {...common}
          className={css['input']}
          rows={Math.min(12, text.split('\n').length + 1)}
          spellCheck={false}
          value={text}
          onChange={({ target }) => type(target.value)}
        />
      ) : (
        <input
          {...common}
          className={css['input']}
          type={setting.secret ? 'password' : 'text'}
          inputMode={setting.type === 'integer' ? 'numeric' : 'text'}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => type(target.value)}
        />
      )}
      <div id={`${id}-notes`}>
        {error !== undefined && (
          <p className={css['error']}>
            <Evidence text={error} />
          </p>
        )}
        {help.map((sentence) => (
          <p key={String(sentence)} className={css['help']}>
            {sentence}
          </p>
        ))}
      </div>
    </div>
  )
})
