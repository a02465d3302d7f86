// Every receiver of alerts in reach and whether it works; on top the Flocks that reach nobody.
import { useQuery } from '@tanstack/react-query'
import { Age, secondsOf } from '../../kit/age.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import css from '../birds/birds.module.css'
import { flocksQuery } from '../birds/queries.ts'
import { useSlowBell } from '../birds/use-slow-bell.ts'
import { receiversQuery, type Receiver } from './queries.ts'
import { Unreached } from './unreached.tsx'
import { receiverWords } from './words.ts'

export function ReceiversPage() {
  const { data, error, isPending, refetch } = useQuery(receiversQuery)
  const flocks = useQuery(flocksQuery).data?.flocks_summary ?? {}
  useSlowBell(() => void refetch())
  return (
    <div className={css['page']}>
      <PageHeading title={receiverWords.title} />
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading rows={4} />}
      <Unreached flocks={data?.unreached} />
      {data?.receivers.length === 0 && <p>{receiverWords.none}</p>}
      <ul className={css['cards']}>
        {data?.receivers.map((it) => (
          <Card key={it.webhook_id} receiver={it} flock={flocks[it.flock_id]?.name} />
        ))}
      </ul>
    </div>
  )
}

function Card({ receiver: it, flock }: { readonly receiver: Receiver; readonly flock: string | undefined }) {
  const isWrong = it.state === 'failing' || it.state === 'off'
  const reason = it.state === 'silent' ? receiverWords.silent : it.reason
  return (
    <li className={css['card']}>
      <strong>
        <Evidence text={it.url_host} />
      </strong>
      <span className={css['quiet']}>
        {it.webhook_kind} ·{' '}
        {it.flock_id === 'console' ? receiverWords.console : <Evidence text={flock ?? it.flock_id} />}
      </span>
      <span className={isWrong ? css['wrong'] : undefined}>
        {receiverWords.states[it.state]}
        {it.since !== '' && (
          <>
            {' '}
            {receiverWords.forTime} <Age atS={secondsOf(it.since)} />
          </>
        )}
      </span>
      {reason !== '' && <Evidence text={reason} canUnfold />}
      <span className={css['quiet']}>
        {it.last_success === '' ? (
          receiverWords.neverPassed
        ) : (
          <>
            {receiverWords.lastSuccess} <Age atS={secondsOf(it.last_success)} isSentence />
          </>
        )}
      </span>
      {it.waiting > 0 && <span>{receiverWords.waiting(it.waiting)}</span>}
    </li>
  )
}
