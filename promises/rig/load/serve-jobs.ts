// The side of a load that does the jobs, in a process of its own.

/** Does each job that is sent, and sends its result back; ends with the process that asks. */
export function serveJobs<J, R>(run: (job: J) => Promise<R>): void {
  process.on('message', (job: J) => {
    run(job).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => process.exit())
}
