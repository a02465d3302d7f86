// The command was called wrongly: nothing was asked of the console, and the exit code is 2.
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
