// A new receiver: its kind, then its form, a test of it, and what is shown once.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useFirstFlock } from '../../can.ts'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { links } from '../../links.ts'
import { sessionQuery } from '../../session/session-query.ts'
import css from '../birds/birds.module.css'
import { EVERYWHERE, receiverKindsQuery, recipientsQuery, type ReceiverKind } from './queries.ts'
import { ReceiverForm } from './receiver-form.tsx'
import { receiverWords } from './words.ts'

const said = receiverWords.add

export function NewReceiverPage() {
  const { kind: name, flock } = useSearch({ from: '/shell/alerts/receivers/new' })
  const { data, error, isPending, refetch } = useQuery(receiverKindsQuery)
  const kind = data?.find((it) => it.kind === name)
  return (
    <div className={css['page']}>
      <p>
        {name === undefined ? (
          <Link to={links.receivers}>← {said.back}</Link>
        ) : (
          <Link to={links.newReceiver} search={flock ? { flock } : {}}>
            ← {said.title}
          </Link>
        )}
      </p>
      <PageHeading title={kind?.title ?? said.title} of={receiverWords.title} />
      {isPending && <Loading rows={4} />}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {data && name !== undefined && !kind && <p>{said.unknown}</p>}
      {data && name === undefined && <Kinds kinds={data} flock={flock} />}
      {kind && <Owned key={`${kind.kind} ${flock}`} kind={kind} flock={flock} />}
    </div>
  )
}

interface KindsProps {
  readonly kinds: readonly ReceiverKind[]
  readonly flock: string | undefined
}

function Kinds({ kinds, flock }: KindsProps) {
  return (
    <>
      <p>{said.lead}</p>
      <ul className={css['cards']}>
        {kinds.map(({ kind, title, help, lacks }) => (
          <li key={kind} className={css['card']}>
            <Link to={links.newReceiver} search={{ kind, ...(flock && { flock }) }}>
              <Evidence text={title} />
            </Link>
            <span className={css['quiet']}>{help}</span>
            {lacks !== '' && <span className={css['wrong']}>{lacks}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}

/** A list of recipients is replaced as a whole: the form begins with who is on it. */
function Owned({ kind, flock }: { readonly kind: ReceiverKind; readonly flock: string | undefined }) {
  const { me } = useSuspenseQuery(sessionQuery).data
  const first = useFirstFlock()
  const mayEverywhere = kind.add_everywhere !== null && me?.access_level === 'admin'
  const owner = flock === EVERYWHERE && !mayEverywhere ? first : (flock ?? first)
  const { data, error, isLoading } = useQuery({ ...recipientsQuery(owner), enabled: kind.list !== null })
  if (isLoading) return <Loading rows={3} />
  if (error) return <ProblemBox error={error} />
  const text = kind.list && data?.[kind.list.name]?.[kind.list.parameter]
  const values = kind.list && typeof text === 'string' ? { [kind.list.parameter]: text } : {}
  return <ReceiverForm kind={kind} owner={owner} mayEverywhere={mayEverywhere} values={values} />
}
