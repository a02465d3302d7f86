// What waits its turn, so that a turn of the event loop is short and others are served between two of them.

/** For so long what waits is called in a turn of the event loop. */
const SLICE_MS = 1
/** For so long newcomers come before it: Node.js accepts one connection in a turn. */
const NEWCOMERS_FIRST_MS = 4

/** Calls in turn what is added, some in each turn of the event loop: others are served in between. */
export function turns(now = () => performance.now()) {
  let added: (() => void)[] = []
  /** What was added before, last first: the first element of a long array is taken out in a third of a millisecond. */
  let next: (() => void)[] = []
  let isDue = false
  let hasNewcomer = false
  let calledAtMs = -Infinity
  const length = (): number => added.length + next.length

  function take(): (() => void) | undefined {
    if (next.length === 0) [next, added] = [added.reverse(), []]
    return next.pop()
  }

  function callSome(): void {
    const nowMs = now()
    const waits = hasNewcomer && nowMs - calledAtMs < NEWCOMERS_FIRST_MS
    hasNewcomer = false
    if (waits) return void setImmediate(callSome)
    const untilMs = nowMs + SLICE_MS
    try {
      do take()?.()
      while (length() > 0 && now() < untilMs)
    } finally {
      calledAtMs = now()
      isDue = length() > 0
      if (isDue) setImmediate(callSome)
    }
  }

  return {
    length,
    /** A connection has come; others may wait behind it. */
    noteNewcomer: () => void (hasNewcomer = true),
    add(serve: () => void): void {
      added.push(serve)
      if (!isDue) setImmediate(callSome)
      isDue = true
    },
  }
}
