import { Button } from '../../kit/button.tsx'
import { words } from '../../words/en.ts'
import css from './inbox.module.css'
import type { Action } from './use-actions.ts'
import type { Selection } from './use-selection.ts'

interface BulkBarProps {
  readonly selection: Selection
  readonly total: number
  readonly state: 'open' | 'acknowledged' | 'all'
  readonly onAct: (action: Action) => void
}

/** Each button names how many it acts on. */
export function BulkBar({ selection, total, state, onAct }: BulkBarProps) {
  const n = selection.isAll ? total : selection.size
  return (
    <div role="toolbar" aria-label={words.inbox.selected(n)} className={css['bulk']}>
      <span>{words.inbox.selected(n)}</span>
      {state !== 'acknowledged' && (
        <Button look="primary" shortcut="e" onClick={() => onAct('acknowledge')}>
          {words.action.acknowledgeN(n)}
        </Button>
      )}
      {state !== 'open' && (
        <>
          <Button shortcut="u" onClick={() => onAct('unacknowledge')}>
            {words.action.unacknowledgeN(n)}
          </Button>
          <Button look="danger" shortcut="#" onClick={() => onAct('remove')}>
            {words.action.removeN(n)}
          </Button>
        </>
      )}
      {!selection.isAll && total > selection.size && (
        <Button look="quiet" onClick={selection.selectAll}>
          {words.inbox.selectAll(total)}
        </Button>
      )}
      <Button look="quiet" shortcut="Esc" onClick={selection.clear}>
        {words.action.clear}
      </Button>
    </div>
  )
}
