// Notices that a decoy crashed while it was asked, and by which probe.

export interface CrashCount {
  readonly errors: number
  /** Of the last crash. */
  readonly lastError?: string | undefined
}

/** Asks the decoy's process how often a session of it threw. */
export type CountCrashes = () => Promise<CrashCount>

interface Suspect {
  readonly name: string
}

/** The probes that are asked `during` it, and those at which the count rose. */
export function watchCrashes<Probe extends Suspect>(count: CountCrashes) {
  const underWay = new Set<Probe>()
  const suspects = new Set<Probe>()
  let seen = 0
  let lastError = ''

  /** Since it was asked last. */
  async function hasRisen(): Promise<boolean> {
    const now = await count()
    const before = seen
    seen = Math.max(seen, now.errors)
    lastError = now.lastError ?? lastError
    return now.errors > before
  }

  return {
    async during<Result>(probe: Probe, ask: () => Promise<Result>): Promise<Result> {
      underWay.add(probe)
      try {
        const result = await ask()
        if (await hasRisen()) for (const one of underWay) suspects.add(one)
        return result
      } finally {
        underWay.delete(probe)
      }
    },
    /** Asks the suspects once more, one at a time. When none crashes alone, all of them are named. */
    async found(ask: (probe: Probe) => Promise<unknown>): Promise<readonly string[]> {
      const line = ({ name }: Suspect): string => `${name}: ${lastError}`
      const guilty: string[] = []
      for (const suspect of suspects) {
        await ask(suspect)
        if (await hasRisen()) guilty.push(line(suspect))
      }
      return guilty.length > 0 ? guilty : [...suspects].map(line)
    },
  }
}
