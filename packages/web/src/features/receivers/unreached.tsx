// Flocks whose incidents reach nobody: an alarm that rings in an empty house.
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { Evidence } from '../../kit/evidence.tsx'
import type { Receivers } from './queries.ts'
import css from './receivers.module.css'
import { receiverWords } from './words.ts'

/** More names than these would push the list off the window. */
const NAMED = 5

export function Unreached({ flocks }: { readonly flocks: Receivers['unreached'] | undefined }) {
  if (!flocks || flocks.length === 0) return null
  return (
    <div role="note" className={css['nobody']}>
      <strong>{receiverWords.nobody}</strong> {receiverWords.unreached(flocks.length)}{' '}
      {flocks.slice(0, NAMED).map(({ flock_id: id, name }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <Link to="/flocks/$id" params={{ id }}>
            <Evidence text={name} />
          </Link>
        </Fragment>
      ))}
      {flocks.length > NAMED && ' …'}
    </div>
  )
}
