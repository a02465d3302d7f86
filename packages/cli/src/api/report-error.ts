// An error as lines on the standard error.
import { ApiError } from '@rookery/sdk/api-error.ts'
import { printableText } from './printable.ts'
import { UsageError } from './usage-error.ts'

/** Prints the error, and answers the exit code. */
export function reportError(error: unknown): number {
  const printError = (text: string): void => void process.stderr.write(`${printableText(text)}\n`)
  if (error instanceof ApiError) {
    const details = Object.entries(error.details).map(([name, reason]) => `  ${name} ${reason}`)
    const request = error.requestId === '' ? '' : `, request ${error.requestId}`
    printError([`${error.message} (${error.code}, ${error.status}${request})`, ...details].join('\n'))
    return 1
  }
  printError((error as Error).message)
  return error instanceof UsageError || (error as Error).name === 'Fault' ? 2 : 1
}
