// Chance with a seed, so that a run can be repeated.

export interface Dice {
  readonly seed: number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
}

/** `GATE_SEED` repeats an earlier run. (mulberry32) */
export function openDice(seed = Number(process.env['GATE_SEED'] ?? Date.now() % 2 ** 31)): Dice {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { seed, between: (least, most) => least + Math.floor(next() * (most - least + 1)) }
}
