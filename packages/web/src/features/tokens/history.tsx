// Every touch of a token, newest first; those that raised nothing say why.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callForFile } from '../../api/call.ts'
import { Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { hostile } from '../../kit/hostile.ts'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { useBell } from '../../live/live-provider.tsx'
import { SourceLink } from '../sources/source-link.tsx'
import { historyQuery, type Touch } from './queries.ts'
import css from './tokens.module.css'
import { words } from './words.ts'

const { columns } = words.history

export function History({ id }: { readonly id: string }) {
  const { data, error, isPending, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(historyQuery(id))
  const touches = data?.pages.flatMap(({ history }) => history) ?? []
  // Older pages stay as they are while somebody reads them.
  useBell(() => void ((data?.pages.length ?? 0) > 1 || refetch()))
  const [problem, setProblem] = useState<unknown>()
  const download = async () => {
    setProblem(undefined)
    try {
      const tz = Intl.DateTimeFormat().resolvedOptions().timeZone
      const { blob, filename } = await callForFile('tokens', 'history', { decoytoken: id, format: 'csv', tz })
      saveFile(blob, filename)
    } catch (failed) {
      setProblem(failed)
    }
  }
  if (isPending) return <Loading />
  return (
    <section>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {problem !== undefined && <ProblemBox error={problem} />}
      {touches.length === 0 && !error && (
        <p>
          <strong>{words.history.empty}</strong> {words.history.emptyText}
        </p>
      )}
      {touches.length > 0 && (
        <>
          <p className={css['tools']}>
            <Button onClick={() => void download()}>{words.history.csv}</Button>
          </p>
          <table className={css['table']}>
            <thead>
              <tr>
                <th scope="col">{columns.time}</th>
                <th scope="col">{columns.source}</th>
                <th scope="col">{columns.event}</th>
                <th scope="col">{columns.result}</th>
              </tr>
            </thead>
            <tbody>
              {touches.map((touch, at) => (
                <Row key={`${touch.timestamp} ${touches.length - at}`} touch={touch} />
              ))}
            </tbody>
          </table>
        </>
      )}
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{words.history.more}</Button>}
    </section>
  )
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function Row({ touch: { timestamp, quiet, reason, event } }: { readonly touch: Touch }) {
  const what = asText(event['event_name'] ?? '') || asText(event['useragent'] ?? '')
  return (
    <tr data-quiet={quiet || undefined}>
      <td>
        <Time atS={timestamp} />
      </td>
      <td className={css['mono']}>
        <SourceLink source={hostile(asText(event['src_host'] ?? ''))} />
      </td>
      <td>
        <details>
          <summary>
            <Evidence text={what === '' ? words.history.details : what} />
          </summary>
          <dl className={css['fields']}>
            {Object.entries(event).map(([name, value]) => (
              <div key={name}>
                <dt>
                  <Evidence text={name} />
                </dt>
                <dd className={css['mono']}>
                  <Evidence text={asText(value)} canUnfold />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      </td>
      <td>
        {quiet ? (
          <>
            <strong>{words.history.quiet}</strong> <Evidence text={reason} />
          </>
        ) : (
          words.history.incident
        )}
      </td>
    </tr>
  )
}
