// Waits for the first touch of a new token.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ageText } from '../../kit/age.tsx'
import { useBell } from '../../live/live-provider.tsx'
import { firstTouchQuery } from './queries.ts'
import css from './tokens.module.css'
import { words } from './words.ts'

export function FirstTouch({ id, createdS }: { readonly id: string; readonly createdS: number }) {
  const { data, refetch } = useQuery(firstTouchQuery(id))
  const row = data?.rows[0]
  useBell(() => void (row ?? refetch()))
  return (
    <p role="status" className={css['waiting']} data-arrived={row !== undefined || undefined}>
      {row ? (
        <>
          {words.result.arrived(ageText((row.first - createdS) * 1000))}{' '}
          <Link to="/incidents/$hash" params={{ hash: row.hash_id }}>
            {words.result.open}
          </Link>
        </>
      ) : (
        words.result.waiting
      )}
    </p>
  )
}
