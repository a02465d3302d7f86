// Rounds that alternate between ours and the peer's, so that a busy moment of the machine falls on both.

export interface Rounds<Ours, Theirs> {
  readonly ours: readonly Ours[]
  readonly theirs: readonly Theirs[]
}

export async function alternate<Ours, Theirs>(
  rounds: number,
  ours: () => Promise<Ours>,
  theirs: () => Promise<Theirs>,
): Promise<Rounds<Ours, Theirs>> {
  const done: { ours: Ours[]; theirs: Theirs[] } = { ours: [], theirs: [] }
  for (let round = 0; round < rounds; round++) {
    done.ours.push(await ours())
    done.theirs.push(await theirs())
  }
  return done
}

/** The middle of a list of numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[half - 1], sorted[half]]
  if (high === undefined) return Number.NaN
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2
}
