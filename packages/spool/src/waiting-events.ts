// How many events wait in a folder, read from outside: its writer may be running.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { scanSegment, segmentNumber } from './segment.ts'
import { readSpoolId } from './spool-id.ts'
import { seqOf } from './record.ts'

/** Events behind the last that was noted as acknowledged; 0 where there is no spool. Throws the system's error. */
export function countWaiting(folder: string): number {
  const acknowledged = readSpoolId(folder)?.acknowledged ?? 0
  let waiting = 0
  for (const name of segmentNames(folder)) {
    const events = scanSegment(join(folder, name))?.events ?? []
    waiting += events.filter((json) => seqOf(json) > acknowledged).length
  }
  return waiting
}

/** Whether the folder holds a spool. */
export const isSpool = (folder: string): boolean =>
  segmentNames(folder).length > 0 && readSpoolId(folder) !== undefined

function segmentNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => segmentNumber(name) > 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
