// SIGINT and SIGTERM: the first one stops everything in order, within 5 s; a second one ends the process at once.

const STOP_MS = 5_000

/** Resolves with the exit code after a signal and `stop`: 0 when `stop` succeeded. */
export function untilStopped(stop: () => Promise<void>): Promise<number> {
  return new Promise((resolve) => {
    let isStopping = false
    const onSignal = (): void => {
      if (isStopping) process.exit(130)
      isStopping = true
      const timer = setTimeout(() => {
        process.stderr.write('Stopping took longer than 5 s; the process ends now.\n')
        process.exit(1)
      }, STOP_MS)
      stop().then(
        () => {
          clearTimeout(timer)
          resolve(0)
        },
        (error: unknown) => {
          clearTimeout(timer)
          process.stderr.write(`Stopping failed: ${String(error)}\n`)
          resolve(1)
        },
      )
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
