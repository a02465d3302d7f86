// A choice of Flocks.
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { plainEvidence } from '../../kit/evidence.tsx'
import css from './birds.module.css'
import { flocksQuery } from './queries.ts'

interface FlockSelectProps {
  readonly label: string
  readonly value: string
  readonly onChange: (flockId: string) => void
  /** What the empty choice says; without it there is none. */
  readonly any?: string
}

export function FlockSelect({ label, value, onChange, any }: FlockSelectProps) {
  const id = useId()
  const { data } = useQuery(flocksQuery)
  const flocks = Object.entries(data?.flocks_summary ?? {})
  return (
    <span className={css['choice']}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={css['select']}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {any !== undefined && <option value="">{any}</option>}
        {flocks.every(([flock]) => flock !== value) && value !== '' && <option value={value}>{value}</option>}
        {flocks.map(([flock, { name }]) => (
          <option key={flock} value={flock}>
            {plainEvidence(name, 60)}
          </option>
        ))}
      </select>
    </span>
  )
}
