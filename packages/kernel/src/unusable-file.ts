// An uploaded file that cannot be used, and why.
import { Fault } from './fault.ts'

/** Its message is the reason in the words of a `bad-input`: `must be …`. */
export class UnusableFile extends Error {}

/** Runs what reads the file of a parameter; an `UnusableFile` becomes a `bad-input` that names the parameter. */
export async function readingUpload<T>(parameter: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error
    throw new Fault('bad-input', `Parameter ${parameter} was invalid.`, {
      details: { [parameter]: error.message },
      cause: error,
    })
  }
}
