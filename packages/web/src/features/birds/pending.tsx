// Birds that wait for a person: the six words prove that the Bird on the screen is the Bird in the room.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Age } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import css from './birds.module.css'
import { Confirm } from './confirm.tsx'
import { FlockSelect } from './flock-select.tsx'
import { pendingQuery, type PendingBird } from './queries.ts'
import { useSlowBell } from './use-slow-bell.ts'
import { birdWords } from './words.ts'

const DEFAULT_FLOCK = 'flock:default'
/** A Bird that nobody has accepted rings no bell: its page asks. */
const POLL_MS = 2_000

/** Birds that wait are in no Flock yet. */
export function PendingPage() {
  const reason = useWhyNot('registration', 'pending')
  return (
    <div className={css['page']}>
      <p>
        <Link to="/birds">← {birdWords.title}</Link>
      </p>
      <PageHeading title={birdWords.pendingTitle} />
      {reason === undefined ? <Pending /> : <p>{reason}</p>}
    </div>
  )
}

function Pending() {
  const queries = useQueryClient()
  const say = useToast()
  const { data, error, isPending, refetch } = useQuery({ ...pendingQuery, refetchInterval: POLL_MS })
  useSlowBell(() => void refetch())
  const [unselected, setUnselected] = useState<ReadonlySet<string>>(new Set())
  const [flock, setFlock] = useState(DEFAULT_FLOCK)
  const [asked, setAsked] = useState<readonly PendingBird[] | PendingBird | undefined>()
  const [problem, setProblem] = useState<unknown>()
  const birds = data?.devices ?? []
  const chosen = birds.filter(({ id }) => !unselected.has(id))

  async function act(work: () => Promise<string>): Promise<void> {
    setAsked(undefined)
    setProblem(undefined)
    try {
      say({ text: await work() })
    } catch (failed) {
      setProblem(failed)
    }
    await refetch()
    void queries.invalidateQueries({ queryKey: ['birdQueries'] })
  }
  const accept = async (these: readonly PendingBird[]) => {
    const node_ids = these.map(({ id }) => id).join(',')
    const { assigned, queued } = await call('registration', 'assignMany', { node_ids, flock_id: flock })
    const said = [birdWords.pending.accepted(assigned.length)]
    if (queued.length > 0) said.push(birdWords.pending.queued(queued.length))
    return said.join(' ')
  }
  const reject = async ({ id, name }: PendingBird) => {
    await call('registration', 'cancel', { node_id: id })
    return birdWords.pending.rejected(plainEvidence(name, 60))
  }
  const toggle = (id: string) =>
    setUnselected((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  return (
    <>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {problem !== undefined && <ProblemBox error={problem} />}
      {isPending && <Loading rows={3} />}
      {data && birds.length === 0 && <Nobody />}
      {birds.length > 0 && (
        <>
          <p className={css['quiet']}>{birdWords.pending.compare}</p>
          <ul className={css['cards']}>
            {birds.map((bird) => (
              <Card
                key={bird.id}
                bird={bird}
                isChosen={!unselected.has(bird.id)}
                onToggle={() => toggle(bird.id)}
                onReject={() => setAsked(bird)}
              />
            ))}
          </ul>
          <div className={css['bulk']} role="toolbar" aria-label={birdWords.selected(chosen.length)}>
            <FlockSelect label={birdWords.pending.into} value={flock} onChange={setFlock} />
            <Button
              look="primary"
              onClick={() => (chosen.length > 1 ? setAsked(chosen) : void act(() => accept(chosen)))}
              reason={chosen.length === 0 ? birdWords.selected(0) : undefined}
            >
              {chosen.length > 1 ? birdWords.pending.acceptN(chosen.length) : birdWords.pending.accept}
            </Button>
          </div>
        </>
      )}
      {/* Those that were shown, and no Bird that came since. */}
      {asked !== undefined && 'length' in asked && (
        <AskWords
          birds={asked}
          onClose={() => setAsked(undefined)}
          onConfirm={() => void act(() => accept(asked))}
        />
      )}
      {asked !== undefined && 'id' in asked && (
        <Confirm
          title={birdWords.pending.rejectAsk(plainEvidence(asked.name, 60))}
          text={birdWords.pending.rejectText}
          verb={birdWords.pending.reject}
          onClose={() => setAsked(undefined)}
          onConfirm={() => void act(() => reject(asked))}
        />
      )}
    </>
  )
}

/** The words as the Bird shows them. */
const Phrase = ({ text }: { readonly text: string }) => (
  <p className={css['phrase']} aria-label={birdWords.pending.words} role="group">
    <Evidence text={text} />
  </p>
)

const Nobody = () => (
  <div className={css['empty']}>
    <p>
      <strong>{birdWords.pending.none}</strong>
    </p>
    <p>{birdWords.pending.noneText}</p>
    <p>
      <Link to="/birds/new">{birdWords.newTitle}</Link>
    </p>
  </div>
)

interface CardProps {
  readonly bird: PendingBird
  readonly isChosen: boolean
  readonly onToggle: () => void
  readonly onReject: () => void
}

function Card({ bird, isChosen, onToggle, onReject }: CardProps) {
  const { name, ip_address, public_ip, device_version, sensor } = bird
  return (
    <li className={css['card']}>
      <label className={css['choice']}>
        <input
          type="checkbox"
          className={css['box']}
          checked={isChosen}
          aria-label={birdWords.select(plainEvidence(name, 60))}
          onChange={onToggle}
        />
        <strong>
          <Evidence text={name} />
        </strong>
      </label>
      <Phrase text={bird.pairing_phrase} />
      <p className={css['quiet']}>
        <Evidence text={[ip_address || public_ip, device_version, sensor].filter(Boolean).join(' · ')} /> ·{' '}
        {birdWords.pending.since} <Age atS={Number(bird.autoreg_time)} />
      </p>
      <Button look="danger" onClick={onReject}>
        {birdWords.pending.reject}
      </Button>
    </li>
  )
}

interface AskWordsProps {
  readonly birds: readonly PendingBird[]
  readonly onClose: () => void
  readonly onConfirm: () => void
}

/** Several at once: all of their words, to compare. */
const AskWords = ({ birds, onClose, onConfirm }: AskWordsProps) => (
  <Confirm
    title={birdWords.pending.all}
    text={birdWords.pending.compare}
    look="primary"
    verb={birdWords.pending.acceptN(birds.length)}
    onClose={onClose}
    onConfirm={onConfirm}
  >
    <ul className={css['cards']}>
      {birds.map(({ id, name, pairing_phrase }) => (
        <li key={id}>
          <Evidence text={name} /> <Phrase text={pairing_phrase} />
        </li>
      ))}
    </ul>
  </Confirm>
)
