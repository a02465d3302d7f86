// Runs only so many computations at a time, the others in the order of their arrival.

/** Each connection waits for one at most, so the bound of connections is the bound of those that wait. */
export function turns(atATime: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  return async (run) => {
    if (running >= atATime) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await run()
    } finally {
      // The next one takes the place of this one.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
