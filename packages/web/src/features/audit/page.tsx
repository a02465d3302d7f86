// Who changed what, when and from where: found, downloaded, and proven to be whole. The filter stands in the address.
import { useInfiniteQuery, useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { call, callForFile } from '../../api/call.ts'
import { Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { TextFilter } from '../../kit/text-filter.tsx'
import { whyNot } from '../../can.ts'
import { DAYS, type Days, type DaysSearch } from '../../links.ts'
import { sessionQuery } from '../../session/session-query.ts'
import { now } from '../../world.ts'
import { houseWords } from '../overview/words.ts'
import css from '../overview/overview.module.css'

const { audit: said } = houseWords

const paramsOf = ({ q, days }: DaysSearch) => ({
  ...(q && { filter_str: q }),
  ...(days && { newer_than: String(Math.floor(now() / 1_000) - Number(days) * 86_400) }),
})

export function AuditPage() {
  const search = useSearch({ from: '/shell/audit' })
  const navigate = useNavigate()
  const { me } = useSuspenseQuery(sessionQuery).data
  const { data, error, isPending, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['auditTrail', 'fetch', search.q, search.days],
    queryFn: ({ pageParam, signal }) =>
      call('auditTrail', 'fetch', pageParam === null ? paramsOf(search) : { cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor.next,
    placeholderData: (before) => before,
  })
  const show = useCallback(
    (change: DaysSearch) =>
      void navigate({ to: '/audit', search: (before) => ({ ...before, ...change }), replace: true }),
    [navigate],
  )
  const find = useCallback((q: string) => show({ q: q || undefined }), [show])
  const verify = useMutation({ mutationFn: () => call('auditTrail', 'verify', {}) })
  const download = useMutation({
    mutationFn: async () => {
      const { blob, filename } = await callForFile('auditTrail', 'export', paramsOf(search))
      saveFile(blob, filename)
    },
  })
  const rows = data?.pages.flatMap(({ audit_trail }) => audit_trail) ?? []
  return (
    <div className={css['page']}>
      <PageHeading title={said.title} />
      <div className={css['tools']}>
        <TextFilter text={search.q ?? ''} label={said.filter} hint={said.filterHint} onChange={find} />
        <Ranges chosen={search.days} onChoose={(days) => show({ days })} />
        <Button onClick={() => download.mutate()}>{said.export}</Button>
        <Button reason={whyNot(me, 'auditTrail', 'verify')} onClick={() => verify.mutate()}>
          {said.verify}
        </Button>
      </div>
      {verify.data && (
        <p role="status" data-wrong={!verify.data.is_whole || undefined} className={css['verdict']}>
          {verify.data.is_whole ? said.whole(verify.data.rows) : said.broken(verify.data)}{' '}
          <code>{verify.data.head}</code>
        </p>
      )}
      {[verify.error, download.error].map(
        (failed) => failed && <ProblemBox key={failed.message} error={failed} />,
      )}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && rows.length === 0 && <p>{said.empty}</p>}
      {rows.length > 0 && (
        <table className={css['table']}>
          <thead>
            <tr>
              {said.columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <td className={css['short']}>
                  <Time atS={row.timestamp} />
                </td>
                <td className={css['name']}>
                  <Evidence text={row.user_note || row.user} />
                </td>
                <td className={`${css['mono']} ${css['name']}`}>
                  <Evidence text={row.user_ip} />
                </td>
                <td>
                  <Evidence text={row.message} canUnfold />
                </td>
                <td className={css['name']}>
                  <Evidence text={row.flock_name} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{said.more}</Button>}
    </div>
  )
}

interface RangesProps {
  readonly chosen: Days | undefined
  readonly onChoose: (days: Days | undefined) => void
}

function Ranges({ chosen, onChoose }: RangesProps) {
  return (
    <span role="group" aria-label={said.time} className={css['ranges']}>
      {[undefined, ...DAYS].map((days) => (
        <Button key={days ?? ''} look="quiet" aria-pressed={days === chosen} onClick={() => onChoose(days)}>
          {days === undefined ? said.always : houseWords.range[days]}
        </Button>
      ))}
    </span>
  )
}
