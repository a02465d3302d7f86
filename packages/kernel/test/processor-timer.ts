// Bounds of work in tests: processor time, which other work of the machine does not lengthen.

/** Starts to count; answers the milliseconds of processor time that this process has used since. */
export function processorTimer(): () => number {
  const startedAt = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(startedAt)
    return (user + system) / 1_000
  }
}
