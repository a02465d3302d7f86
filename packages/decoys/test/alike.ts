// Whether what our decoy answered to a probe, asked once or several times, is what the real server answers.
import type { Observation } from './observe.ts'

interface Pair {
  readonly real: readonly Observation[]
  readonly ours: readonly Observation[]
}

/** A shorter delay is none: nobody who asks over a network can tell. */
const AT_ONCE_MS = 50
const DELAY_TOLERANCE_MS = 1_000
/** So many delays show whether chance decides them. */
const SAMPLE = 5
/** An answer that came less often says little of its delay: all delays of the real server are taken. */
const MIN_OCCURRENCES = 3

/**
 * Each of our answers is one that the real server gave, with its bytes and its close, and the delays of both agree: both none,
 * or a second apart at most, or one `machineFactor` times the other at most, where delays are those of the machine. Of several
 * answers, medians are compared.
 */
export function explains({ real, ours }: Pair, machineFactor = 1): boolean {
  const given = Map.groupBy(real, whatever)
  return [...Map.groupBy(ours, whatever)].every(([answer, our]) => {
    const theirs = given.get(answer)
    if (!theirs) return false
    const isRare = theirs.length < Math.min(MIN_OCCURRENCES, real.length)
    return delaysAgree((isRare ? real : theirs).map(delayOf), our.map(delayOf), machineFactor)
  })
}

/** What was answered; where the answers differ, each with how often it came. */
export function shown(answers: readonly Observation[]): string {
  const groups = [...Map.groupBy(answers, whatever).values()]
  return groups
    .map((group) => {
      const often = groups.length > 1 ? `${group.length} × ` : ''
      return `${often}${JSON.stringify(group[0]!.text)} ${group[0]!.close} after ${delays(group.map(delayOf))}`
    })
    .join(', ')
}

const whatever = ({ text, close }: Observation): string => `${close} ${text}`
const delayOf = ({ delayMs }: Observation): number => delayMs

function delaysAgree(real: readonly number[], ours: readonly number[], factor: number): boolean {
  const [theirs, median] = [medianOf(real), medianOf(ours)]
  const isWithin = median >= Math.min(...real) && median <= Math.max(...real)
  return (isWithin || isSameDelay(theirs, median, factor)) && !standsStill(real, ours, factor)
}

function isSameDelay(a: number, b: number, factor: number): boolean {
  const [less, more] = [Math.min(a, b), Math.max(a, b)]
  if (more - less < AT_ONCE_MS) return true
  return less >= AT_ONCE_MS && (more - less <= DELAY_TOLERANCE_MS || more <= less * factor)
}

/** Chance decides the delay of the real server; ours is always the same. */
const standsStill = (real: readonly number[], ours: readonly number[], factor: number): boolean =>
  Math.min(real.length, ours.length) >= SAMPLE &&
  spreadOf(real) > DELAY_TOLERANCE_MS &&
  !isSameDelay(Math.min(...real), Math.max(...real), factor) &&
  spreadOf(ours) < AT_ONCE_MS

const spreadOf = (all: readonly number[]): number => Math.max(...all) - Math.min(...all)

const medianOf = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[(all.length - 1) >> 1]!

function delays(all: readonly number[]): string {
  const [least, median, most] = [Math.min(...all), medianOf(all), Math.max(...all)].map((ms) =>
    ms < AT_ONCE_MS ? 'no time' : `${(ms / 1000).toFixed(ms < 1_000 ? 2 : 1)} s`,
  )
  return least === most ? median! : `${median} (${least} to ${most})`
}
