// Opens what an earlier run left on the disk: cuts torn tails, sets damaged files aside, and reports both.
import {
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'
import { replaceFile } from '../durable-files.ts'
import { createSegment, readHead, scanSegment, segmentNumber, type Segment } from './segment.ts'

export interface Recovered {
  readonly id: string
  readonly segments: Segment[]
  /** The last segment, open for writing. */
  readonly fd: number
  /** The number of the next event. */
  readonly next: number
}

/** More than the events of one segment: a damaged file may contain their numbers, which are not given a second time. */
const SKIPPED_NUMBERS = 1_000_000

export function recover(folder: string, random: Random, report: (message: string) => void): Recovered {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return openSegments(folder, random, report)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('unavailable', `The spool folder ${folder} cannot be used: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

export const writeSpoolId = (folder: string, id: string): void => replaceFile(join(folder, 'id'), id)

function readSpoolId(folder: string, random: Random): string {
  try {
    const id = readFileSync(join(folder, 'id'), 'utf8').trim()
    if (/^[0-9a-f]{32}$/.test(id)) return id
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  // Under a new id the console takes every event that is still here; a damaged one is replaced, too.
  const id = hex(random, 32)
  writeSpoolId(folder, id)
  return id
}

function openSegments(folder: string, random: Random, report: (message: string) => void): Recovered {
  const names = readdirSync(folder)
  for (const name of names) if (name.endsWith('.new')) rmSync(join(folder, name))
  const numbers = names
    .map(segmentNumber)
    .filter((number) => number > 0)
    .sort((a, b) => a - b)
  const segments: Segment[] = []
  let isDamaged = false
  for (const number of numbers) {
    const path = join(
      folder,
      names.find((name) => segmentNumber(name) === number)!,
    )
    const first = readHead(path)
    if (first === undefined) {
      renameSync(path, `${path}.damaged`)
      report(`The spool file ${path} has no readable head; it is set aside as ${path}.damaged.`)
      isDamaged = true
    } else {
      segments.push({ path, number, first, bytes: statSync(path).size })
    }
  }
  const id = readSpoolId(folder, random)
  const newest = segments.at(-1)
  const scan = newest && scanSegment(newest.path)
  if (newest && scan && scan.goodBytes < scan.totalBytes) {
    truncateSync(newest.path, scan.goodBytes)
    newest.bytes = scan.goodBytes
    report(
      `The spool file ${newest.path} ended in a torn record; ${scan.totalBytes - scan.goodBytes} bytes were cut off.`,
    )
  }
  const next = (scan ? scan.last : 0) + 1 + (isDamaged ? SKIPPED_NUMBERS : 0)
  if (newest && !isDamaged) return { id, segments, fd: openSync(newest.path, 'r+'), next }
  const made = createSegment(folder, (numbers.at(-1) ?? 0) + 1, next)
  return { id, segments: [...segments, made.segment], fd: made.fd, next }
}
