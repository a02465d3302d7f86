// Two loads in short rounds that alternate, so that whatever disturbs the machine disturbs both alike.
import { atLeast, type Row } from '../case.ts'
import type { Load } from './load.ts'
import { alternate, median } from './rounds.ts'
import { sized } from '../scale.ts'

/** One round of a load. */
export type Ask = () => Promise<Load>

export interface SideBySide {
  /** Rate and latencies in the middle of the rounds. */
  readonly ours: Load
  readonly theirs: Load
  /** Their rate, of ours: the middle of the rounds. */
  readonly rate: number
  /** Their p99, of ours: the middle of the rounds. */
  readonly p99: number
}

const ROUNDS = 9
/** Warm-up rounds, which do not count: one of the two may have just been started. */
const WARMING = 3
export const ROUND_MS = sized(1_000, 300)

export async function sideBySide(ours: Ask, theirs: Ask): Promise<SideBySide> {
  await alternate(WARMING, ours, theirs)
  const rounds = await alternate(ROUNDS, ours, theirs)
  const ratio = (of: (load: Load) => number): number =>
    median(rounds.theirs.map((their, at) => of(their) / of(rounds.ours[at] as Load)))
  return {
    ours: middle(rounds.ours),
    theirs: middle(rounds.theirs),
    rate: ratio((load) => load.perSecond),
    p99: ratio((load) => load.p99),
  }
}

function middle(loads: readonly Load[]): Load {
  const of = (value: (load: Load) => number): number => median(loads.map(value))
  return {
    ...(loads[0] as Load),
    perSecond: of((it) => it.perSecond),
    p50: of((it) => it.p50),
    p99: of((it) => it.p99),
  }
}

/**
 * Our rate with theirs, and the ratio that the promise is about. It is the middle of the rounds' ratios: the machine's bad seconds
 * fall on both of a round, so that it may differ from the ratio of the two rates.
 */
export const rateRows = (
  name: string,
  least: number,
  { ours, theirs, rate }: Pick<SideBySide, 'ours' | 'theirs' | 'rate'>,
): readonly Row[] => [
  {
    what: name,
    measured: ours.perSecond,
    reference: theirs.perSecond,
    unit: '/s',
    promise: 'the ratio below',
    isKept: 1 / rate >= least,
  },
  atLeast(`${name}: ratio to the real server, middle of the rounds`, 1 / rate, '×', least),
]
