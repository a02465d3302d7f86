// A card a service: its switch, its port, and the rest.
import { useState } from 'react'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { birdWords } from '../birds/words.ts'
import css from './bird.module.css'
import type { Card, Draft, Edit, Settings } from './draft.ts'
import type { Schema } from './queries.ts'
import { SettingField } from './setting-field.tsx'

interface FieldsProps {
  readonly schema: Schema
  readonly settings: Settings
  readonly draft: Draft
  readonly errors: Readonly<Record<string, string>>
  readonly onEdit: (key: string, edit: Edit) => void
}

interface ServiceCardsProps extends FieldsProps {
  readonly cards: readonly Card[]
  readonly isOpen: boolean
}

export const ServiceCards = ({ cards, isOpen, ...rest }: ServiceCardsProps) => (
  <div className={css['cards']}>
    {cards.map((card) => (
      <ErrorBoundary key={card.service}>
        <ServiceCard card={card} isOpen={isOpen} {...rest} />
      </ErrorBoundary>
    ))}
  </div>
)

/** Folded while the service is off: its settings matter little then. */
function ServiceCard({
  card,
  isOpen,
  ...fields
}: FieldsProps & { readonly card: Card; readonly isOpen: boolean }) {
  const { settings, draft, errors } = fields
  const { service, title, keys } = card
  const isOn = (draft.get(`${service}.enabled`)?.value ?? settings[`${service}.enabled`]) === true
  const [isUnfolded, setUnfolded] = useState(isOn)
  const own = `${service}.enabled`
  const others = keys.filter((key) => key !== own)
  const isShown = isUnfolded || isOpen || others.some((key) => key in errors || draft.has(key))
  return (
    <fieldset className={css['card']}>
      <legend>{title}</legend>
      {keys.includes(own) && <Fields keys={[own]} {...fields} />}
      {others.length > 0 && (
        <details
          open={isShown}
          onToggle={({ currentTarget }) => currentTarget.open !== isShown && setUnfolded(currentTarget.open)}
        >
          <summary>{birdWords.settings.settings(others.length)}</summary>
          {isShown && <Fields keys={others} {...fields} />}
        </details>
      )}
    </fieldset>
  )
}

export const Fields = ({
  keys,
  schema,
  settings,
  draft,
  errors,
  onEdit,
}: FieldsProps & { readonly keys: readonly string[] }) =>
  keys.map((key) => {
    const setting = schema[key]
    return (
      setting && (
        <SettingField
          key={key}
          name={key}
          setting={setting}
          value={settings[key]}
          edit={draft.get(key)}
          error={errors[key]}
          onEdit={onEdit}
        />
      )
    )
  })
