// Turns of sources whose answers do not fit one turn of the event loop: what one of them asks for holds nobody else up.

/** How long a turn of the event loop may take for what is left of earlier ones. */
const TURN_MS = 8

export interface TurnsDeps {
  /** Calls back in the next turn of the event loop. */
  readonly nextTurn: (run: () => void) => void
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number
}

export function openTurns({ nextTurn, now }: TurnsDeps) {
  // Sources in the order of their turns.
  const waiting = new Map<string, (() => void)[]>()
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    nextTurn(run)
  }

  function run(): void {
    const end = now() + TURN_MS
    isScheduled = false
    try {
      do takeFirst()?.()
      while (waiting.size > 0 && now() < end)
    } finally {
      schedule()
    }
  }

  function takeFirst(): (() => void) | undefined {
    const next = waiting.entries().next().value
    if (!next) return undefined
    const [source, acts] = next
    waiting.delete(source)
    const act = acts.shift()
    if (acts.length > 0) waiting.set(source, acts)
    return act
  }

  return {
    /** Calls `act` in a later turn of the event loop; sources that wait are served one act each, in rotation. */
    join(source: string, act: () => void) {
      const acts = waiting.get(source)
      if (acts) acts.push(act)
      else waiting.set(source, [act])
      schedule()
    },
  }
}

export type Turns = ReturnType<typeof openTurns>
