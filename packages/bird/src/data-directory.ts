// The data directory, made when it does not exist.
import { accessSync, constants, mkdirSync } from 'node:fs'
import { Fault } from '@rookery/kernel/fault.ts'

/** Throws an `unavailable` fault with the path and the reason when the directory cannot be used. */
export function openDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw directoryUnusable(directory, error)
  }
}

export const directoryUnusable = (directory: string, error: unknown): Fault =>
  new Fault('unavailable', `The data directory ${directory} cannot be used: ${(error as Error).message}`, {
    cause: error,
  })
