// Stopping: the first signal ends what runs in order, within 5 s; a second one kills.

const PATIENCE_MS = 5_000

/** Resolves after a signal and `stop`; the exit code tells whether all was closed in time. */
export function untilStopped(stop: () => Promise<void>): Promise<number> {
  return new Promise((resolve) => {
    let stopping = false
    const onSignal = (): void => {
      if (stopping) process.exit(130)
      stopping = true
      const late = setTimeout(() => {
        process.stderr.write('Not everything closed within 5 s; ending all the same.\n')
        process.exit(1)
      }, PATIENCE_MS)
      stop().then(
        () => {
          clearTimeout(late)
          resolve(0)
        },
        (error: unknown) => {
          clearTimeout(late)
          process.stderr.write(`Stopping failed: ${String(error)}\n`)
          resolve(1)
        },
      )
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
