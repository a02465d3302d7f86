// The Birds that came since the code was made: connected, registered, given the look that was chosen, first heartbeat, first touch.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Command } from '../../kit/command.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import css from './birds.module.css'
import { pendingQuery, type BirdRow } from './queries.ts'
import { useSlowBell } from './use-slow-bell.ts'
import { birdWords } from './words.ts'

interface ArrivalsProps {
  readonly flock: string
  readonly look: string
}

const POLL_MS = 2_000
/** A new Bird has it already. */
const STARTING_LOOK = 'default'
const SHOWN = 100
const MAX_COMMANDS = 3
const LEVELS = ['used', 'tried', 'looked'] as const

export function Arrivals({ flock, look }: ArrivalsProps) {
  const known = useKnownBefore(flock)
  const listed = useQuery({
    queryKey: ['birdQueries', 'rows', 'arrivals', flock],
    queryFn: () => newestOf(flock),
    refetchInterval: POLL_MS,
  })
  const mayNotSee = useWhyNot('registration', 'pending')
  const pending = useQuery({ ...pendingQuery, refetchInterval: POLL_MS, enabled: mayNotSee === undefined })
  useSlowBell(() => void listed.refetch())
  const commands = useQuery({
    queryKey: ['touchCommands', 'list', flock],
    queryFn: ({ signal }) => call('touchCommands', 'list', { flock_id: flock }, signal),
    refetchInterval: POLL_MS,
  })
  const came = known ? (listed.data ?? []).filter(({ node_id }) => !known.has(node_id)) : []
  const problem = useLook(came, look)
  return (
    <section className={css['part']}>
      <h2>{birdWords.make.watch}</h2>
      {listed.error && <ProblemBox error={listed.error} onRetry={() => void listed.refetch()} />}
      {problem !== undefined && <ProblemBox error={problem} />}
      {came.length === 0 && <p role="status">{birdWords.make.waiting}</p>}
      {(pending.data?.devices.length ?? 0) > 0 && (
        <p>
          <Link to="/birds/pending">{birdWords.pendingTitle}</Link>
        </p>
      )}
      <ul className={css['cards']}>
        {came.map((bird) => (
          <Arrival
            key={bird.node_id}
            bird={bird}
            look={look}
            commands={commands.data?.birds.find(({ node_id }) => node_id === bird.node_id)?.commands ?? []}
          />
        ))}
      </ul>
    </section>
  )
}

interface ArrivalProps {
  readonly bird: BirdRow
  readonly look: string
  readonly commands: readonly { readonly service: string; readonly title: string; readonly command: string }[]
}

function Arrival({ bird, look, commands }: ArrivalProps) {
  const touches = LEVELS.reduce((sum, level) => sum + bird.open[level], 0)
  const steps: readonly (readonly [string, boolean])[] = [
    [birdWords.make.connected, true],
    [birdWords.make.registered, true],
    ...(look === STARTING_LOOK ? [] : [[`${birdWords.make.look3} ${look}`, true] as const]),
    [birdWords.make.heartbeat, bird.state === 'live'],
  ]
  return (
    <li className={css['card']}>
      <Link to="/birds/$id" params={{ id: bird.node_id }}>
        <Evidence text={bird.name} />
      </Link>
      <ul className={css['steps']}>
        {steps.map(([name, isDone]) => (
          <li key={name} className={isDone ? css['done'] : css['quiet']}>
            {name} {isDone ? birdWords.make.done : birdWords.make.notYet}
          </li>
        ))}
      </ul>
      {touches > 0 ? (
        <p role="status">
          <Link to="/" search={{ bird: bird.node_id }}>
            {birdWords.make.touched(touches)}
          </Link>
        </p>
      ) : (
        commands.length > 0 && (
          <details>
            <summary>{birdWords.make.touch}</summary>
            {commands.slice(0, MAX_COMMANDS).map(({ service, title, command }) => (
              <Command key={service} label={title} command={command} />
            ))}
          </details>
        )
      )}
    </li>
  )
}

/** The Birds of the Flock when the page began to watch. */
function useKnownBefore(flock: string): ReadonlySet<string> | undefined {
  const { data } = useQuery({
    queryKey: ['flocks', 'members', flock, 'before'],
    queryFn: ({ signal }) => call('flocks', 'members', { flock_id: flock }, signal),
    staleTime: Infinity,
    gcTime: 0,
  })
  return data && new Set(data.sensors)
}

/** Lists are oldest first: the last page has the newest. */
async function newestOf(flock: string): Promise<readonly BirdRow[]> {
  let page = await call('birdQueries', 'rows', { flock_id: flock, limit: 1_000 })
  let { rows } = page
  while (page.cursor.next !== null) {
    page = await call('birdQueries', 'rows', { cursor: page.cursor.next })
    rows = page.rows
  }
  return rows.slice(-SHOWN)
}

/** Gives each Bird that came the look, once. Answers what was refused. */
function useLook(came: readonly BirdRow[], look: string): unknown {
  const given = useRef(new Set<string>())
  const [problem, setProblem] = useState<unknown>()
  useEffect(() => {
    if (look === STARTING_LOOK) return
    for (const { node_id } of came) {
      if (given.current.has(node_id)) continue
      given.current.add(node_id)
      call('configuration', 'personality', { node_id, personality: look }).catch(setProblem)
    }
  }, [came, look])
  return problem
}
