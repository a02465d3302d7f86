// What to do with the selected incidents. Each button names how many it acts on.
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { addressOf } from '../../kit/hostile.ts'
import type { InboxSearch } from '../../links.ts'
import { useZone } from '../../me/preferences.ts'
import { words } from '../../words/en.ts'
import type { Row } from './apply.ts'
import { filterInWords } from './filter.ts'
import { useFoldCounts } from './fold-count.ts'
import type { Fold } from './fold.ts'
import css from './inbox.module.css'
import type { Action } from './use-actions.ts'
import type { Selection } from './use-selection.ts'

interface BulkBarProps {
  readonly rows: readonly Row[]
  /** The folds that are selected. */
  readonly chosen: readonly Fold[]
  /** All rows that match are loaded. */
  readonly isWhole: boolean
  readonly selection: Selection
  readonly total: number
  /** Why nothing can be done with them. */
  readonly reason: string | undefined
  readonly search: InboxSearch
  readonly onAct: (action: Action) => void
  readonly onChange: (next: Partial<InboxSearch>) => void
}

export function BulkBar(props: BulkBarProps) {
  const { rows, chosen, isWhole, selection, total, reason, search, onAct, onChange } = props
  const { state = 'open' } = search
  const zone = useZone()
  const inFolds = useFoldCounts(search, chosen, isWhole).reduce<number>(
    (sum, n, at) => sum + (n ?? chosen[at]?.rows.length ?? 0) - 1,
    0,
  )
  const n = selection.isAll ? total : selection.size + inFolds
  const source = selection.isAll || search.source ? undefined : sourceOf(rows, selection)
  const allButSource = () => {
    onChange({ source: `!${source}` })
    selection.clear()
    selection.selectAll()
  }
  return (
    <div role="toolbar" aria-label={words.inbox.selected(n)} className={css['bulk']} data-foot="list">
      <span>
        {words.inbox.selected(n)}
        {selection.isAll && (
          <>
            {': '}
            <Evidence text={filterInWords(search, zone)} />
          </>
        )}
      </span>
      {state !== 'acknowledged' && (
        <Button look="primary" shortcut="e" reason={reason} onClick={() => onAct('acknowledge')}>
          {words.action.acknowledgeN(n)}
        </Button>
      )}
      {state !== 'open' && (
        <>
          <Button shortcut="u" reason={reason} onClick={() => onAct('unacknowledge')}>
            {words.action.unacknowledgeN(n)}
          </Button>
          <Button look="danger" shortcut="#" reason={reason} onClick={() => onAct('remove')}>
            {words.action.removeN(n)}
          </Button>
        </>
      )}
      {!selection.isAll && total > n && (
        <Button look="quiet" onClick={selection.selectAll}>
          {words.inbox.selectAll(total)}
        </Button>
      )}
      {source !== undefined && (
        <Button look="quiet" onClick={allButSource}>
          {words.inbox.selectOthers} <Evidence text={source} />
        </Button>
      )}
      <Button look="quiet" shortcut="Esc" onClick={selection.clear}>
        {words.action.clear}
      </Button>
    </div>
  )
}

/** The source of all that is selected; undefined where there are several, or it is no address. */
function sourceOf(rows: readonly Row[], selection: Selection): string | undefined {
  const [first, ...others] = new Set(
    rows.flatMap(({ hash_id, src_host }) => (selection.has(hash_id) ? [src_host] : [])),
  )
  return others.length === 0 && first !== undefined ? addressOf(first) : undefined
}
