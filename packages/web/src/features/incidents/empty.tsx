// A list without rows: all is quiet, or nothing matches.
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
  if (isFiltered) return <Nothing state={state} onClear={onClear} />
  if (state === 'acknowledged') return <p className={css['empty']}>{words.inbox.noneAcknowledged}</p>
  return <Quiet />
}

function Quiet() {
  const flocks = useQuery({
    queryKey: ['flockSummaries', 'all'],
    queryFn: ({ signal }) => call('flockSummaries', 'all', {}, signal),
  })
  const all = Object.values(flocks.data?.flocks_summary ?? {})
  const sum = (of: (flock: (typeof all)[number]) => number) => all.reduce((n, flock) => n + of(flock), 0)
  return (
    <p className={css['empty']}>
      <strong>{words.inbox.quiet}</strong>
      {flocks.data && (
        <span>
          {words.inbox.quietText({
            live: sum((it) => it.live),
            birds: sum((it) => it.birds),
            tokens: sum((it) => it.tokens),
          })}
        </span>
      )}
    </p>
  )
}

function Nothing({ state, onClear }: Omit<EmptyProps, 'isFiltered'>) {
  const all = useQuery({
    queryKey: ['incidentViews', 'rows', 'total', state],
    queryFn: ({ signal }) => call('incidentViews', 'rows', { state, limit: 1 }, signal),
    staleTime: 0,
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
