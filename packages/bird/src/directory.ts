// The data directory, made when it is not there.
import { accessSync, constants, mkdirSync } from 'node:fs'
import { Fault } from '@rookery/kernel/fault.ts'

/** Throws an `unavailable` fault that names the directory and the reason when it cannot be used. */
export function useDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unusable(directory, error)
  }
}

export const unusable = (directory: string, error: unknown): Fault =>
  new Fault('unavailable', `The data directory ${directory} cannot be used: ${(error as Error).message}`, {
    cause: error,
  })
