// A file that lies in a Bird's folder while it runs: an end without a stop leaves it there, with the watchdog's reason in it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'running'
const UNKNOWN = 'its process ended without a stop: it failed or was killed, or the machine lost its power'
/** A second signal (until-stopped.ts): somebody wanted this end. */
const INTERRUPTED = 130

export function runNote(folder: string) {
  const path = join(folder, FILE)
  return {
    path,
    /** Why the run before this one ended without a stop; undefined where it was stopped, or there was none. */
    unstopped(): string | undefined {
      try {
        return readFileSync(path, 'utf8').slice(0, 1_000) || UNKNOWN
      } catch {
        return undefined
      }
    },
    /** Before another program takes the place of this process. */
    end: (): void => rmSync(path, { force: true }),
    /** Once the Bird runs. */
    begin(): void {
      const remove = (): void => rmSync(path, { force: true })
      try {
        writeFileSync(path, '')
      } catch {
        // A full disk: an end would go unnoticed, and the Bird runs all the same.
        return
      }
      process.once('exit', (code) => {
        if (code === 0 || code === INTERRUPTED) remove()
      })
    },
  }
}
