// `memory.json`: the Bird's state that outlives a restart, apart from identity, settings and spool.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Body } from '@rookery/link/messages.ts'
import { directoryUnusable } from './data-directory.ts'
import { replaceFile } from '@rookery/spool/durable-files.ts'

export const STATE_FILE = 'memory.json'

export interface StoredState {
  /** Hex of the console's public key, pinned at first contact. */
  consoleKey?: string
  nodeId?: string
  /** The last roll-back, until other settings are applied. */
  reverted?: Body<'SETTINGS_REVERTED'> | undefined
  /** Results of the last commands: a command that is sent twice is not carried out twice. */
  results?: Body<'CMD_RESULT'>[]
  /** Ends of the last jobs with files: a file that is offered twice is not applied twice. */
  fileResults?: Body<'FILE_STATE'>[]
  /** Jobs whose file began to be applied: one of a process that was killed may be done. */
  filesBegun?: BegunFile[]
}

export interface BegunFile {
  readonly job: string
  readonly sha256: string
  readonly size: number
}

export function openStateFile(directory: string, report: (message: string) => void) {
  const path = join(directory, STATE_FILE)
  const values = read(directory, path, report)
  return {
    values,
    /** Changes some values. They are on the disk when it returns; a disk that refuses is reported. */
    update(change: Partial<StoredState>) {
      Object.assign(values, change)
      try {
        replaceFile(path, JSON.stringify(values))
      } catch (error) {
        report(
          `${path} cannot be written: ${(error as Error).message}. The Bird's state is in memory only, and is lost when it stops.`,
        )
      }
    },
  }
}

export type StateFile = ReturnType<typeof openStateFile>

function read(directory: string, path: string, report: (message: string) => void): StoredState {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    if (!(error instanceof SyntaxError)) throw directoryUnusable(directory, error)
  }
  report(`${path} is damaged and was ignored; the Bird registers with its console again.`)
  return {}
}
