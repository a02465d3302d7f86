// What a Bird remembers of its console over restarts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Body } from '@rookery/link/messages.ts'
import { unusable } from './directory.ts'
import { writeWhole } from './files.ts'

export interface Memory {
  /** Hex of the console's public key, pinned at first contact. */
  consoleKey?: string
  nodeId?: string
  /** It fell back to earlier settings, and has been given no other ones since. */
  reverted?: Body<'SETTINGS_REVERTED'> | undefined
  /** The last commands and what came of them: a command that is sent again is not done again. */
  results?: Body<'CMD_RESULT'>[]
}

export interface Remembered {
  readonly is: Readonly<Memory>
  /** Changes some of it; on the disk when it returns, or else reported. */
  remember(change: Partial<Memory>): void
}

export function openMemory(directory: string, report: (message: string) => void): Remembered {
  const path = join(directory, 'memory.json')
  const is: Memory = read(directory, path, report)
  return {
    is,
    remember(change) {
      Object.assign(is, change)
      try {
        writeWhole(path, JSON.stringify(is))
      } catch (error) {
        report(`${path} cannot be written, the Bird remembers until it stops: ${(error as Error).message}`)
      }
    },
  }
}

function read(directory: string, path: string, report: (message: string) => void): Memory {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null) return value
    report(`${path} is damaged; the Bird asks its console anew.`)
  } catch (error) {
    if (error instanceof SyntaxError) report(`${path} is damaged; the Bird asks its console anew.`)
    else if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(directory, error)
  }
  return {}
}
