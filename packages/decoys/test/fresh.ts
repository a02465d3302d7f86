// Fresh probes: asks a real server and ours what nobody has recorded, and compares what a client can tell.
import { setTimeout } from 'node:timers/promises'
import { drawFrom, type Draw } from './draw.ts'
import { explains, shown } from './alike.ts'
import { watchCrashes, type CountCrashes } from './crash-watch.ts'
import { inTurns } from './in-turns.ts'
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

/** The export `grammar` of a product's `grammar.ts` in `lab/`. */
export interface Grammar {
  readonly masks: readonly Mask[]
  /** Probes that may run at a time; 1 when they share state. */
  readonly concurrency: number
  /** By how much two machines with the same server may differ in a delay, as a factor; 1 where nothing is said. */
  readonly machineFactor?: number
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
  /** The probes at which our decoy crashed, each with the error. */
  readonly crashes: readonly string[]
}

export interface FreshTask {
  readonly grammar: Grammar
  readonly seed: string
  readonly count: number
  readonly real: Endpoint
  readonly ours: Endpoint
  readonly crashes: CountCrashes
}

/**
 * Where one answer differs, both are asked so often altogether. What the real server says each time, ours must say each time;
 * where it contradicts itself, ours must say what it said at least once.
 */
const ASKS = 5
/** A server may look ten times a second for what is due: the asks meet it at different moments of that tenth. */
const MOMENTS_MS = 23
/** Delays are measured while little else is asked. */
const MAX_AT_A_TIME_AGAIN = 4

interface Pair {
  readonly real: readonly Observation[]
  readonly ours: readonly Observation[]
}

/** The probes that `seed` draws, each asked of both servers. */
export async function compareFresh(task: FreshTask): Promise<FreshResult> {
  const { grammar, seed, count } = task
  const draw = drawFrom(seed)
  const probes = Array.from({ length: count }, () => grammar.draw(draw))
  const watched = watchCrashes<FreshProbe>(task.crashes)
  const pairs = await inTurns(probes, grammar.concurrency, (probe) =>
    watched.during(probe, () => askBoth(probe, task, 1)),
  )
  const doubtful = probes.flatMap((probe, at) =>
    explains(pairs[at]!, grammar.machineFactor) ? [] : [{ probe, at }],
  )
  const different = await inTurns(
    doubtful,
    Math.min(MAX_AT_A_TIME_AGAIN, grammar.concurrency),
    async ({ probe, at }) => {
      let pair = pairs[at]!
      for (let asked = 2; asked <= ASKS; asked += 1) {
        const again = await watched.during(probe, () => askBoth(probe, task, asked))
        pair = { real: [...pair.real, ...again.real], ours: [...pair.ours, ...again.ours] }
      }
      return explains(pair, grammar.machineFactor)
        ? []
        : [{ probe: probe.name, real: shown(pair.real), ours: shown(pair.ours) }]
    },
  )
  const differences = different.flat()
  return {
    total: count,
    equal: count - differences.length,
    differences,
    masks: grammar.masks.map(({ name }) => name),
    crashes: await watched.found((probe) => askAfresh(probe, grammar, task.ours, 1)),
  }
}

async function askBoth(
  probe: FreshProbe,
  { grammar, real, ours }: FreshTask,
  patience: number,
): Promise<Pair> {
  if (patience > 1) await setTimeout(patience * MOMENTS_MS)
  const [theirs, answer] = await Promise.all(
    [real, ours].map((server) => askAfresh(probe, grammar, server, patience)),
  )
  return { real: [theirs!], ours: [answer!] }
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
