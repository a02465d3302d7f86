// Asks a real server and ours what takes patience: a crowd, dripped bytes, silence, half-closed connections.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FreshDifference, Mask } from './fresh.ts'
import { watch, type Endpoint } from './observe.ts'

/** Part of the export `grammar` of a service's `golden/grammar.ts`. */
export interface Endurance {
  /** A whole request that is answered at once, and leaves the connection open. */
  readonly request: string
  /** `first` is sent at once, then `rest` byte by byte. */
  readonly drips: readonly { readonly name: string; readonly first: string; readonly rest: string }[]
}

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
}

export interface EnduranceResult {
  readonly total: number
  readonly differences: readonly FreshDifference[]
}

/** Longer than any of the servers waits for anything. */
const PATIENCE_MS = 315_000
const DRIP_MS = 3_000
const CROWD = 200
/** A busy machine takes so long for anything, and may be so late. */
const TOLERANCE = { share: 0.2, ms: 2_000 }

/** All trials at a time; the crowd alone comes last, because it takes the room of the others. */
export async function compareEndurance(task: EnduranceTask): Promise<EnduranceResult> {
  const { endurance, masks } = task
  const hide = (text: string): string => masks.reduce((hidden, mask) => mask.hide(hidden), text)
  const trials = patientTrials(endurance, hide)
  const found = await Promise.all(trials.map((trial, index) => compare(trial, task, index)))
  found.push(await compare(crowdTrial(endurance, hide), task, trials.length))
  return {
    total: found.length,
    differences: found.filter((difference) => difference !== undefined),
  }
}

async function compare(
  { name, ask }: Trial,
  { real, ours }: EnduranceTask,
  index: number,
): Promise<FreshDifference | undefined> {
  const [theirs, answer] = await Promise.all(
    [real, ours].map((server) => ask({ ...server, from: `127.2.${index}.1` })),
  )
  return isAlike(theirs!, answer!) ? undefined : { probe: name, real: show(theirs!), ours: show(answer!) }
}

const isAlike = (a: Outcome, b: Outcome): boolean =>
  sameTexts(a.shown, b.shown) &&
  Math.abs(a.lastMs - b.lastMs) <= Math.max(TOLERANCE.ms, TOLERANCE.share * a.lastMs)

/** Equal but for the counts before `×`, which may differ as times do. */
function sameTexts(a: string, b: string): boolean {
  const [ofA, ofB] = [countsOf(a), countsOf(b)]
  return (
    ofA.size === ofB.size &&
    [...ofA].every(([text, count]) => {
      const other = ofB.get(text)
      return other !== undefined && Math.abs(other - count) <= TOLERANCE.share * count
    })
  )
}

const countsOf = (shown: string): ReadonlyMap<string, number> =>
  new Map(
    shown.split('\n').map((line): [string, number] => {
      const [, count = '1', text = ''] = /^(?:(\d+) × )?(.*)$/.exec(line) ?? []
      return [text, Number(count)]
    }),
  )

const show = ({ shown, lastMs }: Outcome): string => `${shown} after ${(lastMs / 1000).toFixed(1)} s`

type Hide = (text: string) => string

function patientTrials({ request, drips }: Endurance, hide: Hide): readonly Trial[] {
  const half = request.slice(0, request.length >> 1)
  return [
    { name: 'silence', ask: (server) => endure(server, hide, [], 'open') },
    { name: 'silence after an answer', ask: (server) => endure(server, hide, [request], 'open') },
    { name: 'silence in a request', ask: (server) => endure(server, hide, [half], 'open') },
    { name: 'half-close at once', ask: (server) => endure(server, hide, [], 'half-close') },
    { name: 'half-close behind a request', ask: (server) => endure(server, hide, [request], 'half-close') },
    { name: 'half-close in a request', ask: (server) => endure(server, hide, [half], 'half-close') },
    ...drips.map(({ name, first, rest }) => ({
      name: `drip: ${name}`,
      ask: (server: Endpoint) => endure(server, hide, first ? [first, ...rest] : [...rest], 'open'),
    })),
  ]
}

/** Sends a segment every three seconds, until the server closes or everything has waited long enough. */
async function endure(
  server: Endpoint,
  hide: Hide,
  segments: readonly string[],
  end: 'open' | 'half-close',
): Promise<Outcome> {
  const { socket, seen } = watch(server)
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

/** One after another: Apache closes what is kept alive when all its workers are busy at a time. */
const BETWEEN_MS = { connects: 10, requests: 5 }
const SETTLE_MS = 2_000

/** Opens many connections of one source, holds them open, then asks each that is left. */
const crowdTrial = ({ request }: Endurance, hide: Hide): Trial => ({
  name: `${CROWD} connections of one source, held open, then asked`,
  async ask(server) {
    const connections: ReturnType<typeof watch>[] = []
    for (let count = 0; count < CROWD; count += 1) {
      connections.push(watch(server))
      await sleep(BETWEEN_MS.connects)
    }
    await sleep(SETTLE_MS)
    for (const { socket, seen } of connections) {
      if (seen.close !== 'open') continue
      socket.write(request)
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
