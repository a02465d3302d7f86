// `id`, next to the segments: the spool's id, and what must be known to say which events the console has of it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hex } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'
import { replaceFile } from './durable-files.ts'

export interface SpoolId {
  readonly id: string
  /** All events up to here were acknowledged: under an earlier id, or before it was last noted. */
  readonly acknowledged: number
  /** The last number on the disk when the spool was opened; undefined once the console has said what it has. */
  readonly recovered: number | undefined
}

const FORM = /^([0-9a-f]{32}) (\d+) (\d+|-)$/

/** Reads it; undefined when there is none, or when it is damaged. */
export function readSpoolId(folder: string): SpoolId | undefined {
  try {
    const [, id, acknowledged, recovered] = FORM.exec(readFileSync(join(folder, 'id'), 'utf8')) ?? []
    if (id !== undefined)
      return {
        id,
        acknowledged: Number(acknowledged),
        recovered: recovered === '-' ? undefined : Number(recovered),
      }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return undefined
}

/** Under a new id the console takes every event behind `acknowledged`. */
export const newSpoolId = (random: Random, acknowledged: number): SpoolId => ({
  id: hex(random, 32),
  acknowledged,
  recovered: undefined,
})

export const writeSpoolId = (folder: string, { id, acknowledged, recovered }: SpoolId): void =>
  replaceFile(join(folder, 'id'), `${id} ${acknowledged} ${recovered ?? '-'}`)

/** The same for an id that stays: a full disk must not end the Bird, so it is only reported. */
export function keepSpoolId(folder: string, spoolId: SpoolId, report: (message: string) => void): void {
  try {
    writeSpoolId(folder, spoolId)
  } catch (error) {
    if (!existsSync(join(folder, 'id'))) throw error
    report(
      `The spool ${folder} cannot note what the console has of it: ${(error as Error).message}. After a power cut, events may be sent twice.`,
    )
  }
}
