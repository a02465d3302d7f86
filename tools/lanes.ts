// Several steps side by side: at most so many at once, and none begun after a failure.

export interface Outcome {
  readonly isGood: boolean
  /** What the step printed. */
  readonly said: string
}

/**
 * Runs named steps in their order, `lanes` at a time, and tells each outcome with its milliseconds as it comes.
 * Answers whether all were good; after a failure the running ones end, and no other begins.
 */
export async function inLanes<Step extends { readonly name: string }>(
  steps: readonly Step[],
  lanes: number,
  run: (step: Step) => Promise<Outcome>,
  tell: (name: string, outcome: Outcome, ms: number) => void,
): Promise<boolean> {
  const waiting = [...steps]
  let isGood = true
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined && isGood; step = waiting.shift()) {
      const startedAt = performance.now()
      const outcome = await run(step)
      isGood &&= outcome.isGood
      tell(step.name, outcome, performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return isGood
}
