import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../kit/button.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { addressOf } from '../../kit/hostile.ts'
import type { InboxSearch } from '../../links.ts'
import { words } from '../../words/en.ts'
import { Facts } from '../incident/facts.tsx'
import { incidentQuery } from '../incident/queries.ts'
import css from './inbox.module.css'

interface PeekProps {
  readonly hash: string
  readonly onClose: () => void
  /** Undefined where the buttons of a selection are on the screen, or it is acknowledged already. */
  readonly onAcknowledge: (() => void) | undefined
  readonly onChange: (next: Partial<InboxSearch>) => void
}

/** The facts of the incident under the cursor, next to the list. */
export function Peek({ hash, onClose, onAcknowledge, onChange }: PeekProps) {
  const { data } = useQuery(incidentQuery(hash))
  const source = data && addressOf(data.incident.src_host)
  return (
    <aside aria-label={words.inbox.peek} className={css['peek']}>
      <p className={css['peekHead']}>
        <Link to="/incidents/$hash" params={{ hash }}>
          {words.setup.openIncident}
        </Link>
        <Button look="quiet" shortcut="Esc" onClick={onClose}>
          {words.action.close}
        </Button>
      </p>
      <ErrorBoundary key={hash}>
        <Facts hash={hash} />
      </ErrorBoundary>
      <p className={css['peekFoot']}>
        {onAcknowledge && (
          <Button look="primary" shortcut="e" onClick={onAcknowledge}>
            {words.action.acknowledge}
          </Button>
        )}
        {source && (
          <>
            <Button onClick={() => onChange({ source })}>{words.inbox.onlySource}</Button>
            <Button onClick={() => onChange({ source: `!${source}` })}>{words.inbox.hideSource}</Button>
          </>
        )}
      </p>
    </aside>
  )
}
