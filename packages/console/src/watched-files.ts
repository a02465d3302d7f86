// Files that the operator replaces while the console runs: looked at every ten seconds.
import { statSync } from 'node:fs'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Background } from './background/background.ts'
import { task } from './background/task.ts'

const LOOK_EVERY_MS = 10_000
const TASK = task(
  'watched_files',
  LOOK_EVERY_MS,
  'Looks whether certificates and files of addresses were replaced',
)

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
  readonly clock: Clock
  readonly background: Background
}

/** Calls `look` every ten seconds, and says whether the version is another than at the call before; the answer ends it. */
export function watchVersion(
  { version, first, clock, background }: Watched,
  look: (isChanged: boolean) => void,
): () => void {
  let known = first
  let isFirst = true
  const loop = background.loop(TASK, {
    clock,
    async run() {
      if (!isFirst) lookAgain()
      isFirst = false
      return clock.now() + LOOK_EVERY_MS
    },
    onError: () => LOOK_EVERY_MS,
  })
  loop.wake()

  function lookAgain(): void {
    const found = version()
    const isChanged = found !== known
    known = found
    look(isChanged)
  }
  return () => void loop.stop()
}
