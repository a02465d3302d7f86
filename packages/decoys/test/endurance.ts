// Asks a real server and ours what takes patience: a crowd, dripped bytes, silence, half-closed connections.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CountCrashes } from './crash-watch.ts'
import type { FreshDifference, Mask } from './fresh.ts'
import { watch, type Endpoint, type Watched } from './observe.ts'

/** `first` is sent at once, then `rest` byte by byte. */
interface Drip {
  readonly name: string
  readonly first: string
  readonly rest: string
}

/** The export `endurance` of a product's `grammar.ts` in `lab/`. */
export interface Endurance {
  /** A whole request that is answered at once, and leaves the connection open. */
  readonly request: string
  readonly drips: readonly Drip[]
  /** The crowd is tried once more, held open with half a request each. */
  readonly hasHalfCrowd?: true
  /** How its client connects, when it does more than that; and what drips over the connection without it. */
  readonly client?: { readonly watch: Watch; readonly dripsBefore: readonly Drip[] }
}

type Watch = (server: Endpoint) => Watched

interface Trial {
  readonly name: string
  readonly ask: (server: Endpoint) => Promise<Outcome>
}

interface Outcome {
  /** What a client can tell but for the time. */
  readonly shown: string
  /** From the connect to the last byte or the close. */
  readonly lastMs: number
}

interface EnduranceTask {
  readonly endurance: Endurance
  readonly masks: readonly Mask[]
  readonly real: Endpoint
  readonly ours: Endpoint
  readonly crashes: CountCrashes
}

export interface EnduranceResult {
  readonly total: number
  readonly differences: readonly FreshDifference[]
}

/** Longer than any of the servers waits for anything. */
const PATIENCE_MS = 315_000
/** So that no drip falls on the instant at which a server gives up: 10, 20, 30, 60 or 300 s. */
const DRIP_MS = 3_100
/** So many connections of one source are held open. */
const CROWD = 200
/** A busy machine takes so long for anything, and may be so late. */
const TOLERANCE = { share: 0.2, ms: 2_000 }

/** Trials meet what chance there is in a server, such as the second of its clock: both are asked so often at most. */
const ASKED = 5
/** And so often only where a trial is over within a minute. */
const SOON_MS = 75_000

/** All trials side by side; each crowd alone comes last, because it takes the room of the others. */
export async function compareEndurance(task: EnduranceTask): Promise<EnduranceResult> {
  const { endurance, masks } = task
  const hide = (text: string): string => masks.reduce((hidden, mask) => mask.hide(hidden), text)
  const trials = patientTrials(endurance, hide)
  const found = await Promise.all(
    trials.map(async (trial, index) => {
      await sleep(index * BETWEEN_MS.trials)
      return compare(trial, task, index)
    }),
  )
  const crowds = [false, ...(endurance.hasHalfCrowd ? [true] : [])]
  for (const isHalf of crowds)
    found.push(await compareCrowd(crowdTrial(endurance, hide, isHalf), task, found.length))
  const { errors, lastError } = await task.crashes()
  if (errors > 0) throw new Error(`Our decoy crashed under the trials of patience: ${lastError}`)
  return {
    total: found.length,
    differences: found.filter((difference) => difference !== undefined),
  }
}

/** Ours must be what the real server answers some time; both are asked again where they differ and are soon asked. */
async function compare(
  { name, ask }: Trial,
  { real, ours }: EnduranceTask,
  index: number,
): Promise<FreshDifference | undefined> {
  const theirs: Outcome[] = []
  const answers: Outcome[] = []
  const startedAt = performance.now()
  do {
    const both = [real, ours].map((server) => ask({ ...server, from: `127.2.${index}.1` }))
    const [their, answer] = await Promise.all(both)
    theirs.push(their!)
    if (theirs.some((one) => isAlike(one, answer!))) return undefined
    answers.push(answer!)
  } while (theirs.length < ASKED && performance.now() - startedAt < theirs.length * SOON_MS)
  return { probe: name, real: showAll(theirs), ours: showAll(answers) }
}

/** Ours must lie within what the real server answers; both are asked again only where they differ. */
async function compareCrowd(
  trial: Trial,
  { real, ours }: EnduranceTask,
  index: number,
): Promise<FreshDifference | undefined> {
  const from = `127.2.${index}.1`
  const theirs: Outcome[] = []
  const answers: Outcome[] = []
  while (theirs.length < ASKED) {
    theirs.push(await trial.ask({ ...real, from }))
    const answer = await trial.ask({ ...ours, from })
    if (isWithinSpread(theirs, answer)) return undefined
    answers.push(answer)
  }
  return { probe: trial.name, real: showAll(theirs), ours: showAll(answers) }
}

/** Each text has come as often as it may come from the real server, or up to a fifth more or less often. */
function isWithinSpread(theirs: readonly Outcome[], { shown }: Outcome): boolean {
  const [spread, ours] = [theirs.map((outcome) => countsOf(outcome.shown)), countsOf(shown)]
  return [...new Set([...ours.keys(), ...spread.flatMap((counts) => [...counts.keys()])])].every((text) => {
    const counts = spread.map((one) => one.get(text) ?? 0)
    const [least, most] = [Math.min(...counts), Math.max(...counts)]
    const count = ours.get(text) ?? 0
    return count >= least * (1 - TOLERANCE.share) && count <= most * (1 + TOLERANCE.share)
  })
}

const isAlike = (a: Outcome, b: Outcome): boolean =>
  a.shown === b.shown && Math.abs(a.lastMs - b.lastMs) <= Math.max(TOLERANCE.ms, TOLERANCE.share * a.lastMs)

const countsOf = (shown: string): ReadonlyMap<string, number> =>
  new Map(
    shown.split('\n').map((line): [string, number] => {
      const [, count = '1', text = ''] = /^(?:(\d+) × )?(.*)$/.exec(line) ?? []
      return [text, Number(count)]
    }),
  )

const showAll = (all: readonly Outcome[]): string =>
  all.map(({ shown, lastMs }) => `${shown} after ${(lastMs / 1000).toFixed(1)} s`).join('\n    or: ')

type Hide = (text: string) => string

function patientTrials(endurance: Endurance, hide: Hide): readonly Trial[] {
  const { request, drips, client } = endurance
  const half = request.slice(0, request.length >> 1)
  const withClient = trialsBy(client?.watch ?? watch, hide)
  const without = trialsBy(watch, hide)
  return [
    withClient('silence', []),
    withClient('silence after an answer', [request]),
    withClient('silence in a request', [half]),
    withClient('half-close at once', [], 'half-close'),
    withClient('half-close behind a request', [request], 'half-close'),
    withClient('half-close in a request', [half], 'half-close'),
    ...drips.map((drip) => withClient(`drip: ${drip.name}`, segmentsOf(drip))),
    ...(client
      ? [
          without('silence before the handshake', []),
          without('half-close before the handshake', [], 'half-close'),
          ...client.dripsBefore.map((drip) =>
            without(`drip before the handshake: ${drip.name}`, segmentsOf(drip)),
          ),
        ]
      : []),
  ]
}

const segmentsOf = ({ first, rest }: Drip): readonly string[] => (first ? [first, ...rest] : [...rest])

const trialsBy =
  (open: Watch, hide: Hide) =>
  (name: string, segments: readonly string[], end: 'open' | 'half-close' = 'open'): Trial => ({
    name,
    ask: (server) => endure(open(server), hide, segments, end),
  })

/** Sends a segment every three seconds, until the server closes or everything has waited long enough. */
async function endure(
  { socket, seen }: Watched,
  hide: Hide,
  segments: readonly string[],
  end: 'open' | 'half-close',
): Promise<Outcome> {
  const startedAt = performance.now()
  const isOver = (): boolean => seen.close !== 'open' || performance.now() - startedAt >= PATIENCE_MS
  for (const [index, segment] of segments.entries()) {
    for (const until = startedAt + index * DRIP_MS; !isOver() && performance.now() < until;) await sleep(20)
    if (isOver()) break
    socket.write(Buffer.from(segment, 'latin1'))
  }
  if (end === 'half-close') socket.end()
  while (!isOver()) await sleep(20)
  // A reset comes right behind the last bytes, and may be read after them.
  await sleep(50)
  socket.destroy()
  return { shown: `${JSON.stringify(hide(seen.text))} ${seen.close}`, lastMs: seen.lastAt - startedAt }
}

/**
 * One after another: Apache closes what is kept alive when all its workers are busy at a time, and BusyBox' telnetd has room for
 * one client that it has not accepted yet: the kernel lets those beyond it in a second later.
 */
const BETWEEN_MS = { trials: 100, connects: 10, requests: 5 }
const SETTLE_MS = 2_000

/** Opens many connections of one source, holds them open, then asks each that is left. */
const crowdTrial = ({ request, client }: Endurance, hide: Hide, isHalf: boolean): Trial => ({
  name: `${CROWD} connections of one source, held open${isHalf ? ' with half a request' : ''}, then asked`,
  async ask(server) {
    const open = client?.watch ?? watch
    const half = isHalf ? request.slice(0, request.length >> 1) : ''
    const connections: Watched[] = []
    for (let count = 0; count < CROWD; count += 1) {
      const connection = open(server)
      if (half) connection.socket.write(half)
      connections.push(connection)
      await sleep(BETWEEN_MS.connects)
    }
    await sleep(SETTLE_MS)
    for (const { socket, seen } of connections) {
      if (seen.close !== 'open') continue
      socket.write(request.slice(half.length))
      await sleep(BETWEEN_MS.requests)
    }
    await sleep(SETTLE_MS)
    const counts = new Map<string, number>()
    for (const { socket, seen } of connections) {
      const text = `${JSON.stringify(hide(seen.text))} ${seen.close}`
      counts.set(text, (counts.get(text) ?? 0) + 1)
      socket.destroy()
    }
    const lines = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
    return { shown: lines.map(([text, count]) => `${count} × ${text}`).join('\n'), lastMs: 0 }
  },
})
