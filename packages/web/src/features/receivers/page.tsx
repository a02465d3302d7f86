// Every receiver of alerts in reach and whether it works; on top the Flocks that reach nobody.
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { links } from '../../links.ts'
import css from '../birds/birds.module.css'
import { flocksQuery } from '../birds/queries.ts'
import { useSlowBell } from '../birds/use-slow-bell.ts'
import { Card } from './card.tsx'
import { receiverKindsQuery, receiversQuery } from './queries.ts'
import own from './receivers.module.css'
import { Switches } from './switches.tsx'
import { Unreached } from './unreached.tsx'
import { receiverWords } from './words.ts'

/** No bell rings when a message passes, or a receiver is switched off. */
const EVERY_MS = 5_000

export function ReceiversPage() {
  const { flock, chat } = useSearch({ from: '/shell/alerts/receivers' })
  const { data, error, isPending, refetch } = useQuery({ ...receiversQuery, refetchInterval: EVERY_MS })
  const kinds = useQuery(receiverKindsQuery).data
  const flocks = useQuery(flocksQuery).data?.flocks_summary ?? {}
  useSlowBell(() => void refetch())
  return (
    <div className={css['page']}>
      <PageHeading title={receiverWords.title} />
      <p className={own['buttons']}>
        <Link to={links.newReceiver}>{receiverWords.add.link}</Link>
        <Link to={links.deliveries}>{receiverWords.deliveries}</Link>
      </p>
      {chat && <p role="status">{receiverWords.chat[chat]}</p>}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading rows={4} />}
      <Unreached flocks={data?.unreached} />
      {data?.receivers.length === 0 && <p>{receiverWords.none}</p>}
      <ul className={css['cards']}>
        {data?.receivers.map((it) => (
          <li key={it.webhook_id} className={css['card']}>
            <ErrorBoundary>
              <Card
                receiver={it}
                kind={kinds?.find(({ kind }) => kind === it.webhook_kind)}
                flock={flocks[it.flock_id]?.name}
              />
            </ErrorBoundary>
          </li>
        ))}
      </ul>
      <ErrorBoundary>
        <Switches flock={flock} />
      </ErrorBoundary>
    </div>
  )
}
