// Entries of a directory's listing ([MS-FSCC] 2.4), by information class.
import { aligned, join, u16, u32, u64, utf16, zeros } from '../../../../windows/fields.ts'
import { writeTimes, type FileTimes } from '../codec/create.ts'

/** What a listing shows of a node; `.` and `..` have names of their own. */
export interface Entry {
  readonly name: string
  readonly id: bigint
  readonly times: FileTimes
  readonly size: number
  readonly allocationSize: number
  readonly attributes: number
}

const facts = ({ times, size, allocationSize, attributes }: Entry): Buffer =>
  join(writeTimes(times), u64(size), u64(allocationSize), u32(attributes))

/** Length and 24 bytes: neither product makes names of 8.3 for names that every client takes. */
const SHORT_NAME = zeros(26)
const EA_SIZE = zeros(4)

/** The fields between FileIndex and the name, by class; `length` is that of the name. */
const CLASSES: Readonly<Record<number, (entry: Entry, length: Buffer) => Buffer>> = {
  // FileDirectoryInformation
  1: (entry, length) => join(facts(entry), length),
  // FileFullDirectoryInformation
  2: (entry, length) => join(facts(entry), length, EA_SIZE),
  // FileBothDirectoryInformation
  3: (entry, length) => join(facts(entry), length, EA_SIZE, SHORT_NAME),
  // FileNamesInformation
  12: (_, length) => length,
  // FileIdBothDirectoryInformation
  37: (entry, length) => join(facts(entry), length, EA_SIZE, SHORT_NAME, u16(0), u64(entry.id)),
  // FileIdFullDirectoryInformation
  38: (entry, length) => join(facts(entry), length, EA_SIZE, u32(0), u64(entry.id)),
  // FileIdExtdDirectoryInformation
  60: (entry, length) => join(facts(entry), length, EA_SIZE, u32(0), u64(entry.id), u64(0)),
}

export const isDirectoryClass = (infoClass: number): boolean => Object.hasOwn(CLASSES, infoClass)

/** An entry that says nothing yet of the next one. */
function writeEntry(infoClass: number, entry: Entry): Buffer {
  const name = utf16(entry.name)
  const fields = CLASSES[infoClass]?.(entry, u32(name.length)) ?? zeros(0)
  return join(u32(0), u32(0), fields, name)
}

export interface Wanted {
  readonly infoClass: number
  /** Behind so many entries of the folder. */
  readonly position: number
  readonly matches: (name: string) => boolean
  readonly isSingle: boolean
  readonly maxBytes: number
}

export interface Entries {
  /** As many as fit, each but the last padded to eight bytes. */
  readonly bytes: Buffer
  readonly count: number
  /** Where a search goes on. */
  readonly position: number
  /** Another one would have been listed, and did not fit. */
  readonly isFull: boolean
}

/** Names behind those that fit are not compared: a listing of many costs no more than its answers. */
export function listEntries(
  entries: readonly Entry[],
  { infoClass, matches, isSingle, maxBytes, ...wanted }: Wanted,
): Entries {
  const parts: Buffer[] = []
  let length = 0
  let isFull = false
  let { position } = wanted
  for (let place = position; place < entries.length && !(isSingle && parts.length > 0); place += 1) {
    if (!matches(entries[place]!.name)) continue
    const part = writeEntry(infoClass, entries[place]!)
    const start = (length + 7) & ~7
    isFull = start + part.length > maxBytes
    if (isFull) break
    parts.push(part)
    length = start + part.length
    position = place + 1
  }
  return { bytes: linked(parts), count: parts.length, position, isFull }
}

const linked = (parts: readonly Buffer[]): Buffer =>
  join(
    ...parts.map((part, i) => {
      if (i === parts.length - 1) return part
      const padded = aligned(part, 8)
      padded.writeUInt32LE(padded.length, 0)
      return padded
    }),
  )
