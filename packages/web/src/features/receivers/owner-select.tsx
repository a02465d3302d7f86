// Whose alerts a new receiver gets: those of a Flock, or of every Flock. The choice stands in the address.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useManages } from '../../can.ts'
import { plainEvidence } from '../../kit/evidence.tsx'
import { SelectField } from '../../kit/form-fields.tsx'
import { links } from '../../links.ts'
import { flocksQuery } from '../birds/queries.ts'
import { EVERYWHERE } from './queries.ts'
import { receiverWords } from './words.ts'

interface OwnerSelectProps {
  readonly kind: string
  readonly owner: string
  readonly mayEverywhere: boolean
}

export function OwnerSelect({ kind, owner, mayEverywhere }: OwnerSelectProps) {
  const navigate = useNavigate()
  const manages = useManages()
  const { data } = useQuery(flocksQuery)
  const flocks = Object.entries(data?.flocks_summary ?? {}).filter(([id]) => manages(id))
  if (flocks.length < 2 && !mayEverywhere) return null
  return (
    <SelectField
      label={receiverWords.add.flock}
      value={owner}
      onChange={({ target }) =>
        void navigate({ to: links.newReceiver, search: { kind, flock: target.value }, replace: true })
      }
    >
      {mayEverywhere && <option value={EVERYWHERE}>{receiverWords.console}</option>}
      {flocks.map(([id, { name }]) => (
        <option key={id} value={id}>
          {plainEvidence(name, 60)}
        </option>
      ))}
    </SelectField>
  )
}
