// Bounds with a name: each time one holds something back or pushes something out is counted, for `/metrics`.

export interface Limit {
  /** In snake case, as it stands in `rookery_limit_hits_total{limit="…"}`. */
  readonly name: string
  readonly max: number
  /** Counts that the bound was met. */
  readonly hit: () => void
  /** How often the bound was met since the process started. */
  readonly hits: () => number
}

const limits = new Map<string, Limit>()

/** Declares a bound, once for each process; a name that is taken throws. */
export function limit(name: string, max: number): Limit {
  if (limits.has(name))
    throw new Error(`The limit ${name} is declared twice; give the second a name of its own.`)
  let count = 0
  const made: Limit = { name, max, hit: () => void count++, hits: () => count }
  limits.set(name, made)
  return made
}

/** The same bound under another number, as an option or a test sets it; both count together. */
export const withMax = (bound: Limit, max: number): Limit => ({ ...bound, max })

/** Every bound that a loaded module declares. */
export const declaredLimits = (): IteratorObject<Limit> => limits.values()
