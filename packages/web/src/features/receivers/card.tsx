// One receiver: whether it works, and what can be done with it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call, send } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Age, secondsOf } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { ConfirmButton } from '../../kit/confirm-button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import { links } from '../../links.ts'
import css from '../birds/birds.module.css'
import { EVERYWHERE, type Receiver, type ReceiverKind } from './queries.ts'
import own from './receivers.module.css'
import { receiverWords as said } from './words.ts'

interface CardProps {
  readonly receiver: Receiver
  readonly kind: ReceiverKind | undefined
  readonly flock: string | undefined
}

export function Card({ receiver: it, kind, flock }: CardProps) {
  const isWrong = it.state === 'failing' || it.state === 'off'
  const reason = it.state === 'silent' ? said.silent : it.reason
  return (
    <>
      <strong>
        <Evidence text={it.url_host} />
      </strong>
      <span className={css['quiet']}>
        <Evidence text={kind?.title ?? it.webhook_kind} /> ·{' '}
        {it.flock_id === EVERYWHERE ? said.console : <Evidence text={flock ?? it.flock_id} />}
      </span>
      <span className={isWrong ? css['wrong'] : undefined}>
        {said.states[it.state]}
        {it.since !== '' && (
          <>
            {' '}
            {said.forTime} <Age atS={secondsOf(it.since)} />
          </>
        )}
      </span>
      {reason !== '' && <Evidence text={reason} canUnfold />}
      <span className={css['quiet']}>
        {it.last_success === '' ? (
          said.neverPassed
        ) : (
          <>
            {said.lastSuccess} <Age atS={secondsOf(it.last_success)} isSentence />
          </>
        )}
      </span>
      {it.waiting > 0 && <span>{said.waiting(it.waiting)}</span>}
      <Actions receiver={it} kind={kind} />
    </>
  )
}

function Actions({ receiver: { webhook_id, flock_id, state }, kind }: Omit<CardProps, 'flock'>) {
  const queries = useQueryClient()
  const say = useToast()
  const done = (text: string) => {
    say({ text })
    return queries.invalidateQueries({ queryKey: ['receiverOverview', 'list'] })
  }
  const test = useMutation({
    mutationFn: () => call('receiverOverview', 'test', { webhook_id }),
    onSuccess: () => done(said.tested),
  })
  const enable = useMutation({
    mutationFn: () => call('receiverOverview', 'enable', { flock_id, webhook_id }),
    onSuccess: () => done(said.switchedOn),
  })
  const remove = useMutation<unknown>({
    mutationFn: () =>
      flock_id === EVERYWHERE
        ? send(kind?.add_everywhere?.path ?? '', { clear: true })
        : call('receiverOverview', 'remove', { flock_id, webhook_id }),
    onSuccess: () => done(said.removed),
  })
  const reason = useWhyNot('receiverOverview', 'remove', [flock_id])
  const problem = [test, enable, remove].find(({ error }) => error !== null)?.error
  return (
    <>
      <span className={own['buttons']}>
        <Button reason={reason} onClick={() => test.mutate()}>
          {said.test}
        </Button>
        {state === 'off' && flock_id !== EVERYWHERE && (
          <Button reason={reason} onClick={() => enable.mutate()}>
            {said.switchOn}
          </Button>
        )}
        <ConfirmButton
          label={said.remove}
          question={said.reallyRemove}
          reason={reason}
          onConfirm={() => remove.mutate()}
        />
        {kind?.list && (
          <Link to={links.newReceiver} search={{ kind: kind.kind, flock: flock_id }}>
            {said.change}
          </Link>
        )}
        <Link to={links.deliveries} search={{ receiver: webhook_id }}>
          {said.deliveries}
        </Link>
      </span>
      {problem && <ProblemBox error={problem} />}
    </>
  )
}
