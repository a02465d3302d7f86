// One token: what to plant, its history, its settings.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Age, Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { ConfirmButton } from '../../kit/confirm-button.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import { links } from '../../links.ts'
import { useBell } from '../../live/live-provider.tsx'
import { Problem } from '../../problem.ts'
import { History } from './history.tsx'
import { Plant } from './plant.tsx'
import { kindsQuery, tokenQuery, type Kind, type Token } from './queries.ts'
import { TokenSettings } from './token-settings.tsx'
import css from './tokens.module.css'
import { words } from './words.ts'

const TABS = ['plant', 'history', 'settings'] as const

export function TokenPage() {
  const { id = '', tab = 'plant' } = useParams({ strict: false })
  const token = useQuery(tokenQuery(id))
  const kinds = useQuery(kindsQuery)
  useBell(() => void token.refetch())
  if (token.error instanceof Problem && token.error.code === 'not-found') return <Gone />
  const kind = token.data && kinds.data?.kinds[token.data.token.kind]
  const error = (!token.data && token.error) || (!kinds.data && kinds.error)
  return (
    <div className={css['page']}>
      <p>
        <Link to={links.tokens}>← {words.list.title}</Link>
      </p>
      {!kind && <PageHeading title={words.list.title} />}
      {error && (
        <ProblemBox
          error={error}
          onRetry={() => {
            void token.refetch()
            void kinds.refetch()
          }}
        />
      )}
      {!error && (!token.data || !kinds.data) && <Loading />}
      {token.data && kind && (
        <>
          <ErrorBoundary>
            <Head token={token.data.token} kind={kind} />
          </ErrorBoundary>
          <nav aria-label={words.list.title} className={css['tabs']}>
            {TABS.map((it) => (
              <Link
                key={it}
                to="/tokens/$id/$tab"
                params={{ id, tab: it }}
                replace
                aria-current={tab === it ? 'page' : undefined}
              >
                {words.token.tabs[it]}
              </Link>
            ))}
          </nav>
          <ErrorBoundary key={tab}>
            {tab === 'plant' && (
              <Plant token={token.data.token} kind={kind} texts={token.data.token.renders} once={[]} />
            )}
            {tab === 'history' && <History id={id} />}
            {tab === 'settings' && <TokenSettings token={token.data.token} kind={kind} />}
          </ErrorBoundary>
        </>
      )}
    </div>
  )
}

function Gone() {
  return (
    <div className={css['page']}>
      <PageHeading title={words.list.title} />
      <p role="alert">{words.token.notFound}</p>
      <p>
        <Link to={links.tokens}>{words.token.back}</Link>
      </p>
    </div>
  )
}

function Head({ token, kind }: { readonly token: Token; readonly kind: Kind }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useToast()
  const [problem, setProblem] = useState<unknown>()
  const reason = useWhyNot('tokens', 'disable', [token.flock_id])
  const { decoytoken, enabled, memo, placement, last_triggered, triggered_count } = token
  const act = async (work: () => Promise<unknown>, said: string) => {
    setProblem(undefined)
    try {
      await work()
      say({ text: said })
      return true
    } catch (error) {
      setProblem(error)
      // Another tab may have deleted it: then the page says so.
      void queries.invalidateQueries({ queryKey: tokenQuery(decoytoken).queryKey })
      return false
    } finally {
      void queries.invalidateQueries({ queryKey: ['tokens', 'search'] })
    }
  }
  const toggle = () =>
    void act(
      async () => {
        await call('tokens', enabled ? 'disable' : 'enable', { decoytoken })
        await queries.invalidateQueries({ queryKey: tokenQuery(decoytoken).queryKey })
      },
      enabled ? words.token.disabledSaid : words.token.enabledSaid,
    )
  const remove = async () => {
    if (await act(() => call('tokens', 'remove', { decoytoken }), words.token.removedSaid))
      await navigate({ to: links.tokens, search: {} })
  }
  return (
    <>
      <PageHeading title={plainEvidence(memo, 80)} of={words.list.title}>
        <Evidence text={memo} />
      </PageHeading>
      <dl className={css['facts']}>
        <Fact name={words.list.kind} value={kind.name} />
        <Fact
          name={words.list.columns.state}
          value={enabled ? words.token.enabled : words.token.isDisabled}
        />
        <div>
          <dt>{words.token.touched}</dt>
          <dd>
            {words.list.times(triggered_count)}
            {last_triggered !== null && (
              <>
                {' · '}
                <Age atS={last_triggered} />
              </>
            )}
          </dd>
        </div>
        {placement !== '' && <Fact name={words.token.placement} value={placement} />}
        <Fact name={words.token.host} value={token.hostname} />
        <div>
          <dt>{words.token.created}</dt>
          <dd>
            <Time atS={Number(token.created)} />
          </dd>
        </div>
      </dl>
      <div className={css['tools']}>
        <Button onClick={toggle} reason={reason}>
          {enabled ? words.token.disable : words.token.enable}
        </Button>
        <ConfirmButton
          label={words.token.remove}
          question={words.token.reallyRemove}
          reason={reason}
          onConfirm={() => void remove()}
        />
        <Link to={links.inbox} search={{ token: decoytoken, state: 'all' }}>
          {words.token.incidents}
        </Link>
      </div>
      {problem !== undefined && <ProblemBox error={problem} />}
    </>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Evidence text={value} />
      </dd>
    </div>
  )
}
