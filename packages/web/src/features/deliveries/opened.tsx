// One delivery: what its receiver is sent, what it answered, and sending it again.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { secondsOf, Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { isEmpty, rawOf } from '../../kit/hostile.ts'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import { links } from '../../links.ts'
import birds from '../birds/birds.module.css'
import { receiverWords } from '../receivers/words.ts'
import css from './deliveries.module.css'
import { deliveryQuery } from './queries.ts'
import { deliveryWords as said } from './words.ts'

interface OpenedProps {
  readonly id: string
  readonly onClose: () => void
  /** Gets the number of the new delivery. */
  readonly onReplayed: (id: string) => void
}

export function Opened({ id, onClose, onReplayed }: OpenedProps) {
  const say = useToast()
  const { data, error, isPending, refetch } = useQuery(deliveryQuery(id))
  const reason = useWhyNot('deliveries', 'replayOne', data ? [data.delivery.flock_id] : undefined)
  const replay = useMutation({
    mutationFn: () => call('deliveries', 'replayOne', { delivery_id: id }),
    onSuccess: ({ delivery_id }) => {
      say({ text: said.replayed })
      void refetch()
      onReplayed(String(delivery_id))
    },
    // Its receiver may have been removed meanwhile: then that is said, and the way on.
    onError: () => void refetch(),
  })
  const delivery = data?.delivery
  const isGone = data?.message === null
  return (
    <section className={css['opened']} aria-label={said.one(id)}>
      <h2>{said.one(id)}</h2>
      {isPending && <Loading rows={3} />}
      {error && <ProblemBox error={error} />}
      {delivery && (
        <p>
          <strong>{said.states[delivery.state]}</strong> <Evidence text={delivery.url_host} /> ·{' '}
          <Time atS={secondsOf(delivery.created_std)} /> {delivery.status > 0 && `· ${delivery.status} `}
          {!isEmpty(delivery.reason) && <Evidence text={delivery.reason} canUnfold />}
        </p>
      )}
      {isGone && (
        <p>
          {said.gone} <Link to={links.receivers}>{receiverWords.open}</Link>
        </p>
      )}
      {data?.message && (
        <>
          <p className={birds['quiet']}>{said.shown}</p>
          <h3>{said.headers}</h3>
          <dl className={css['headers']}>
            {Object.entries(data.message.headers).map(([name, value]) => (
              <div key={name}>
                <dt>
                  <Evidence text={name} />
                </dt>
                <dd>
                  <Evidence text={value} canUnfold />
                </dd>
              </div>
            ))}
          </dl>
          <h3>{said.body}</h3>
          <pre className={css['body']} tabIndex={0}>
            <Evidence text={data.message.body} canUnfold />
          </pre>
        </>
      )}
      {replay.error && <ProblemBox error={replay.error} />}
      <p className={css['buttons']}>
        <Button reason={reason ?? (isGone ? said.gone : undefined)} onClick={() => replay.mutate()}>
          {said.replay}
        </Button>
        {data?.message && <CopyButton text={rawOf(data.message.body)} />}
        <Button look="quiet" onClick={onClose}>
          {said.close}
        </Button>
        {delivery && delivery.incident !== '' && <ToIncident incident={delivery.incident} />}
      </p>
    </section>
  )
}

/** A delivery names its incident by the key; the page has the other id. */
function ToIncident({ incident }: { readonly incident: string }) {
  const { data } = useQuery({
    queryKey: ['incidentQueries', 'fetch', 'key', incident],
    queryFn: ({ signal }) =>
      call('incidentQueries', 'fetch', { incident, extended_details: true, event_limit: 1 }, signal),
    retry: false,
  })
  const hash = data?.incident.hash_id
  if (hash === undefined) return null
  return (
    <Link to="/incidents/$hash" params={{ hash }}>
      {said.incident}
    </Link>
  )
}
