import { Link } from '@tanstack/react-router'
import { Evidence } from '../../kit/evidence.tsx'
import { addressOf, type Hostile } from '../../kit/hostile.ts'

interface SourceLinkProps {
  readonly source: Hostile
  /** In a row that opens something else: the link is for the mouse, and the row keeps the focus. */
  readonly isInRow?: boolean
}

/** The address of a source, which leads to all that it did; any other text stays text. */
export function SourceLink({ source, isInRow = false }: SourceLinkProps) {
  const address = addressOf(source)
  if (address === undefined) return <Evidence text={source} />
  return (
    <Link
      to="/sources/$address"
      params={{ address }}
      {...(isInRow && { tabIndex: -1, onClick: (event) => event.stopPropagation() })}
    >
      <Evidence text={source} />
    </Link>
  )
}
