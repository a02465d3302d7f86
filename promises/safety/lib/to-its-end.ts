// Tests of gates start programs, which must not outlive them.
import { onTestFinished } from 'vitest'

/** As long as the longest of these tests may take. */
const PATIENCE_MS = 150_000

/** The outcome of `work`. A test that is given up waits for its end, too, and with it for the programs that it stops. */
export function toItsEnd<T>(work: Promise<T>): Promise<T> {
  onTestFinished(async () => void (await work.catch(() => undefined)), PATIENCE_MS)
  return work
}
