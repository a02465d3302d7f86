// Before a very wide range is ignored: how many addresses it has, and how many incidents it would have kept away.
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Evidence } from '../../kit/evidence.tsx'
import { rawOf } from '../../kit/hostile.ts'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { now } from '../../world.ts'
import { Confirm } from '../birds/confirm.tsx'
import { addressesOf, rangeOf } from './range.ts'
import type { WrongLine } from './queries.ts'
import { ignoreWords } from './words.ts'

const { page: said } = ignoreWords
const DAYS_30_S = 30 * 86_400

interface WideDialogProps {
  readonly lines: readonly WrongLine[]
  readonly onClose: () => void
  readonly onConfirm: () => void
}

export function WideDialog({ lines, onClose, onConfirm }: WideDialogProps) {
  return (
    <Confirm title={said.wideTitle} text="" verb={said.saveWide} onClose={onClose} onConfirm={onConfirm}>
      <ul>
        {lines.map((it) => (
          <li key={it.number}>
            <WideLine line={rawOf(it.line)} />
          </li>
        ))}
      </ul>
    </Confirm>
  )
}

function WideLine({ line }: { readonly line: string }) {
  const range = rangeOf(line)
  const canCount = !range.includes(':')
  const { data, error, isFetching } = useQuery({
    queryKey: ['incidentViews', 'rows', 'wide', range],
    queryFn: ({ signal }) =>
      call(
        'incidentViews',
        'rows',
        { state: 'all', source: range, newer_than: String(Math.floor(now() / 1_000) - DAYS_30_S), limit: 1 },
        signal,
      ),
    enabled: canCount,
  })
  return (
    <>
      <code>
        <Evidence text={line} />
      </code>{' '}
      {said.wide(addressesOf(range))} {data && said.wideMatches(data.total)}
      {!canCount && said.wideUncounted}
      {isFetching && <Loading rows={1} />}
      {error && <ProblemBox error={error} />}
    </>
  )
}
