import { Link } from '@tanstack/react-router'
import { Button } from '../../kit/button.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { words } from '../../words/en.ts'
import { Facts } from '../incident/facts.tsx'
import css from './inbox.module.css'

/** The facts of the incident under the cursor, beside the list. */
export function Peek({ hash, onClose }: { readonly hash: string; readonly onClose: () => void }) {
  return (
    <aside aria-label={words.inbox.peek} className={css['peek']}>
      <p className={css['peekHead']}>
        <Link to="/incidents/$hash" params={{ hash }}>
          {words.setup.openIncident}
        </Link>
        <Button look="quiet" onClick={onClose}>
          {words.action.close}
        </Button>
      </p>
      <ErrorBoundary key={hash}>
        <Facts hash={hash} />
      </ErrorBoundary>
    </aside>
  )
}
