// A question that many ask at once is asked once for all who wait.

/**
 * Whoever comes while `ask` is under way joins the next one: every answer was asked for after its caller came, so nobody
 * is told less than he could have known.
 */
export function joined<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined

  function start(): Promise<T> {
    next = undefined
    const asked = ask()
    running = asked
    const end = (): void => {
      if (running === asked) running = undefined
    }
    asked.then(end, end)
    return asked
  }
  return () => (running ? (next ??= running.then(start, start)) : start())
}
