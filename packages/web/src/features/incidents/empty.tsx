import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { words } from '../../words/en.ts'
import css from './inbox.module.css'

interface EmptyProps {
  readonly isFiltered: boolean
  readonly state: 'open' | 'acknowledged' | 'all'
  readonly onClear: () => void
}

export function Empty({ isFiltered, state, onClear }: EmptyProps) {
  return isFiltered ? <Nothing state={state} onClear={onClear} /> : <Quiet />
}

function Quiet() {
  return (
    <p className={css['empty']}>
      <strong>{words.inbox.quiet}</strong> {words.inbox.quietText}
    </p>
  )
}

function Nothing({ state, onClear }: Omit<EmptyProps, 'isFiltered'>) {
  const all = useQuery({
    queryKey: ['incidentViews', 'rows', 'total', state],
    queryFn: ({ signal }) => call('incidentViews', 'rows', { state, limit: 1 }, signal),
  })
  return (
    <div className={css['empty']}>
      <p>
        <strong>{words.inbox.nothing}</strong> {all.data && words.inbox.nothingText(all.data.total)}
      </p>
      <Button onClick={onClear}>{words.action.clearFilter}</Button>
    </div>
  )
}
