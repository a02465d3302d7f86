// The command line is wrong: nothing is sent to the console, and the exit code is 2.
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
