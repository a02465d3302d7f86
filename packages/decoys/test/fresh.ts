// Fresh probes: asks a real server and ours what nobody has recorded, and compares what a client can tell.
import { drawFrom, type Draw } from './draw.ts'
import type { Endpoint, Observation } from './observe.ts'

/** Hides what two servers of one kind may say differently. Its name stands in the report. */
export interface Mask {
  readonly name: string
  readonly hide: (text: string) => string
}

export interface FreshProbe {
  /** What is sent, readable. */
  readonly name: string
  /** `patience` stretches its time limits. */
  readonly ask: (server: Endpoint, patience: number) => Promise<Observation>
}

/** The export `grammar` of a service's `golden/grammar.ts`. */
export interface Grammar {
  readonly masks: readonly Mask[]
  /** Probes that may run at a time; 1 when they share state. */
  readonly concurrency: number
  readonly draw: (draw: Draw) => FreshProbe
  /** Puts the server's shared state back before each probe. */
  readonly reset?: (server: Endpoint) => Promise<void>
}

export interface FreshDifference {
  readonly probe: string
  readonly real: string
  readonly ours: string
}

export interface FreshResult {
  readonly total: number
  readonly equal: number
  readonly differences: readonly FreshDifference[]
  readonly masks: readonly string[]
}

export interface FreshTask {
  readonly grammar: Grammar
  readonly seed: string
  readonly count: number
  readonly real: Endpoint
  readonly ours: Endpoint
}

/** A server may contradict itself: it is asked so often before a difference counts. */
const MOST_ASKS = 5

/** The probes that `seed` draws, each asked of both servers. */
export async function compareFresh({ grammar, seed, count, real, ours }: FreshTask): Promise<FreshResult> {
  const draw = drawFrom(seed)
  const waiting = Array.from({ length: count }, (_, index) => ({ index, probe: grammar.draw(draw) }))
  const differences = new Map<number, FreshDifference>()
  await Promise.all(
    Array.from({ length: grammar.concurrency }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const found = await compare(next.probe, grammar, real, ours)
        if (found) differences.set(next.index, found)
      }
    }),
  )
  return {
    total: count,
    equal: count - differences.size,
    differences: [...differences].sort(([a], [b]) => a - b).map(([, difference]) => difference),
    masks: grammar.masks.map(({ name }) => name),
  }
}

async function compare(
  probe: FreshProbe,
  grammar: Grammar,
  real: Endpoint,
  ours: Endpoint,
): Promise<FreshDifference | undefined> {
  const said: Observation[] = []
  for (let asked = 1; ; asked += 1) {
    const [theirs, answer] = await Promise.all(
      [real, ours].map((server) => askAfresh(probe, grammar, server, asked)),
    )
    said.push(theirs!)
    if (said.some((one) => isAlike(one, answer!))) return undefined
    if (asked === MOST_ASKS) return { probe: probe.name, real: show(theirs!), ours: show(answer!) }
  }
}

async function askAfresh(
  probe: FreshProbe,
  { masks, reset }: Grammar,
  server: Endpoint,
  patience: number,
): Promise<Observation> {
  await reset?.(server)
  const answer = await probe.ask({ ...server, from: nextSource() }, patience)
  return { ...answer, text: masks.reduce((text, { hide }) => hide(text), answer.text) }
}

let sources = 0
/** Another address of the loopback network each time, so that no limit for one source is met. */
const nextSource = (): string => {
  sources = (sources + 1) % 60_000
  return `127.1.${sources >> 8}.${1 + ((sources & 0xff) % 254)}`
}

/** Below, a delay counts as none. The machine that judges is busy. */
const AT_ONCE_MS = 400
const DELAY_TOLERANCE_MS = 1_000

const isAlike = (a: Observation, b: Observation): boolean =>
  a.text === b.text &&
  a.close === b.close &&
  (Math.max(a.delayMs, b.delayMs) < AT_ONCE_MS || Math.abs(a.delayMs - b.delayMs) <= DELAY_TOLERANCE_MS)

const show = ({ text, close, delayMs }: Observation): string =>
  `${JSON.stringify(text)} ${close} after ${delayMs < AT_ONCE_MS ? 'no time' : `${(delayMs / 1000).toFixed(1)} s`}`
