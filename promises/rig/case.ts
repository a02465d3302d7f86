// A promise with a number: a case measures it, the runner prints the table and fails when one is broken.

/** One measured value, its limit, and a reference value of the same run. */
export interface Row {
  /** What was measured: `durable hits`, `p99`. */
  readonly what: string
  readonly measured: number
  /** The same value of the bare or peer implementation in the same run, when there is one. */
  readonly reference?: number
  /** `/s`, `ms`, `MB`, `%`, or empty for a count. */
  readonly unit: string
  /** As people say it: `≥ 8,000/s and ≥ 25 % of the sketch`. */
  readonly promise: string
  readonly isKept: boolean
  /** Broken by so little, next to a bare implementation that broke it in the same run, that the machine is to blame. */
  readonly isNoise?: boolean
}

export interface Result {
  readonly rows: readonly Row[]
  /** Whether the work itself was right: every hit stored, every count exact. A fast wrong answer is a failure. */
  readonly ok: boolean
  /** Size of the run, or why something was left out. */
  readonly note?: string
}

/** The default export of each file in `promises/speed/` and `promises/safety/`. */
export interface Case {
  /** `B1`, `G3`: what the command line names. */
  readonly id: string
  /** One line for people. */
  readonly title: string
  run(): Promise<Result>
}

/** A row that must reach at least `least`. */
export const atLeast = (
  what: string,
  measured: number,
  unit: string,
  least: number,
  reference?: number,
): Row =>
  judge(
    row(what, measured, unit, `≥ ${number(least)}`, reference),
    (value, slack) => value >= least * (1 - slack),
  )

/** A row that must not exceed `most`. */
export const atMost = (what: string, measured: number, unit: string, most: number, reference?: number): Row =>
  judge(
    row(what, measured, unit, `≤ ${number(most)}`, reference),
    (value, slack) => value <= most * (1 + slack),
  )

/** A row that must be exactly `wanted`: lost events, doubled counts. */
export const exactly = (what: string, measured: number, unit: string, wanted: number): Row => ({
  ...row(what, measured, unit, `= ${number(wanted)}`),
  isKept: measured === wanted,
})

/** What a slow machine changes; shares, ratios, counts and memory are promised of any. */
const UNITS_OF_SPEED: readonly string[] = ['ms', '/s']
/** How far beyond its limit a value may be noise. */
const SLACK = 1 / 3

/** `keeps` says whether a value keeps the promise, if its limit is moved by a share of itself. */
function judge(measured: Omit<Row, 'isKept'>, keeps: (value: number, slack: number) => boolean): Row {
  if (keeps(measured.measured, 0)) return { ...measured, isKept: true }
  const { unit, reference } = measured
  const isNoise =
    UNITS_OF_SPEED.includes(unit) &&
    keeps(measured.measured, SLACK) &&
    reference !== undefined &&
    !keeps(reference, 0)
  return { ...measured, isKept: false, ...(isNoise && { isNoise }) }
}

const row = (what: string, measured: number, unit: string, limit: string, reference?: number) => ({
  what,
  measured,
  unit,
  promise: withUnit(limit, unit),
  ...(reference === undefined ? {} : { reference }),
})

/** Three significant digits below a thousand, whole numbers with separators above. */
export const number = (value: number): string =>
  Math.abs(value) >= 1000 || Number.isInteger(value)
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(3)))

export const withUnit = (text: string, unit: string): string =>
  unit === '' ? text : unit.startsWith('/') ? text + unit : `${text} ${unit}`

/** The value that `share` (0 … 1) of the samples do not exceed; NaN of none. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
