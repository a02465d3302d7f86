// Files that the operator replaces while the console runs: looked at every ten seconds.
import { statSync } from 'node:fs'
import type { Clock } from '@rookery/kernel/world.ts'

const LOOK_EVERY_MS = 10_000

/** Another text as soon as one of the files is another, or changed. A file that cannot be looked at has a state, too. */
export const filesVersion = (paths: readonly string[]): string => paths.map(stateOf).join(' ')

function stateOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino}:${size}:${mtimeMs}`
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}

export interface Watched {
  /** Another text as soon as there is something to read again. */
  readonly version: () => string
  /** The version before the first reading. */
  readonly first: string
  readonly clock: Pick<Clock, 'after'>
}

/** Calls `look` every ten seconds, and says whether the version is another than at the call before; the answer ends it. */
export function watchVersion(
  { version, first, clock }: Watched,
  look: (isChanged: boolean) => void,
): () => void {
  let known = first
  let cancel = clock.after(LOOK_EVERY_MS, lookAgain)

  function lookAgain(): void {
    const found = version()
    const isChanged = found !== known
    known = found
    cancel = clock.after(LOOK_EVERY_MS, lookAgain)
    look(isChanged)
  }
  return () => cancel()
}
