// What a silent main thread deserves: to be ended when it computes, a line in the log when it waits.

/** What the watchdog's thread sees of the main thread at one moment. */
export interface Look {
  /** Monotonic. */
  readonly nowMs: number
  /** The main thread changes it as long as its event loop turns. */
  readonly stamp: number
  /** Processor time that it has used since it began. */
  readonly cpuMs: number
  /** On a core, or waiting for one; not for a disk, a lock or input. */
  readonly isRunning: boolean
}

/** Since the last stamp. */
export interface Silence {
  readonly stamp: number
  readonly sinceMs: number
  readonly sinceCpuMs: number
  readonly lookedAt: number
  readonly looks: number
  readonly looksRunning: number
  readonly isReported: boolean
}

/** `report`: it waits. `over`: it answers again after a report. */
export type Verdict = 'end' | 'report' | 'over'

export interface Judgement {
  readonly silence: Silence
  readonly verdict?: Verdict
  /** How long it has been silent, and what it used of its core meanwhile; of `over`: it was. */
  readonly silentMs: number
  readonly computedMs: number
}

/** So much of the time counts as all of it: the clock of processor time has steps of 10 ms, and collections take turns. */
const ALL = 0.9

const begin = ({ nowMs, stamp, cpuMs }: Look, isReported = false): Silence => ({
  stamp,
  sinceMs: nowMs,
  sinceCpuMs: cpuMs,
  lookedAt: nowMs,
  looks: 0,
  looksRunning: 0,
  isReported,
})

/** `limitMs` counts processor time: where others use the cores, a busy thread is ended later, and one that gets no core never. */
export function step(before: Silence | undefined, look: Look, limitMs: number): Judgement {
  if (!before) return { silence: begin(look), silentMs: 0, computedMs: 0 }
  const { nowMs, stamp, cpuMs, isRunning } = look
  const spent = { silentMs: nowMs - before.sinceMs, computedMs: cpuMs - before.sinceCpuMs }
  if (stamp !== before.stamp)
    return { silence: begin(look), ...(before.isReported && { verdict: 'over' }), ...spent }
  // This thread was late, too: the machine was paused, and the silence of that time says nothing.
  if (nowMs - before.lookedAt >= limitMs / 2)
    return { silence: begin(look, before.isReported), silentMs: 0, computedMs: 0 }
  const looks = before.looks + 1
  const looksRunning = before.looksRunning + (isRunning ? 1 : 0)
  const silence = { ...before, lookedAt: nowMs, looks, looksRunning }
  if (spent.silentMs < limitMs) return { silence, ...spent }
  const isBusy = looksRunning >= ALL * looks
  if (isBusy && spent.computedMs >= ALL * limitMs) return { silence, verdict: 'end', ...spent }
  if (isBusy || silence.isReported) return { silence, ...spent }
  return { silence: { ...silence, isReported: true }, verdict: 'report', ...spent }
}
