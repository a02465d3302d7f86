// The data directory, made when it does not exist.
import { accessSync, chmodSync, constants, statSync } from 'node:fs'
import { Fault } from '@rookery/kernel/fault.ts'
import { makeDirectory } from '@rookery/spool/durable-files.ts'

/** Its private key and its seed, in the data directory. */
export const IDENTITY_FILE = 'identity.json'
/** Pages that a user uploaded for the decoy web server. */
export const WEBROOT_FOLDER = 'webroot'
/** Files that a user uploaded for the decoy file share, each named by its number. */
export const SHARE_FOLDER = 'share'
/** Files on their way from the console, each named by its job. */
export const INCOMING_FOLDER = 'incoming'

/** Only its owner may read it: another mode is repaired and reported. Throws an `unavailable` fault with the path and the reason when the directory cannot be used. */
export function openDataDirectory(directory: string, report: (message: string) => void): void {
  try {
    makeDirectory(directory)
    const mode = statSync(directory).mode & 0o777
    if ((mode & 0o077) !== 0) {
      chmodSync(directory, mode & 0o700)
      report(`Others could read ${directory} (mode ${mode.toString(8)}); its mode is repaired.`)
    }
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw directoryUnusable(directory, error)
  }
}

export const directoryUnusable = (directory: string, error: unknown): Fault =>
  new Fault('unavailable', `The data directory ${directory} cannot be used: ${(error as Error).message}`, {
    cause: error,
  })
