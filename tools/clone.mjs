// Where things lie in a clone, and how its tools fail.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** A failure that the user can act upon: its message is shown alone, without a stack. */
export class CannotPrepare extends Error {}

/**
 * What to show for a failure: the message of one that the user can act upon, the whole stack of any other.
 * @param {unknown} error
 */
export function explain(error) {
  if (error instanceof CannotPrepare) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Where Node 24 lies once the packages are installed. */
export const nodePath = (folder = root) =>
  join(folder, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
