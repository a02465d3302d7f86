// Entries of a directory's listing ([MS-FSCC] 2.4), by information class.
import { aligned, join, u16, u32, u64, utf16, zeros } from '../../../../../windows/fields.ts'
import { writeTimes, type FileTimes } from '../../../protocol/codec/create.ts'

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

/** Names of 8.3 are not made on volumes of data since Windows Server 2012. */
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

/** As many of the entries as fit, each but the last padded to eight bytes. */
export function writeEntries(
  infoClass: number,
  entries: Iterable<Entry>,
  maxBytes: number,
): { readonly bytes: Buffer; readonly count: number } {
  const parts: Buffer[] = []
  let length = 0
  for (const entry of entries) {
    const part = writeEntry(infoClass, entry)
    const start = (length + 7) & ~7
    if (start + part.length > maxBytes) break
    parts.push(part)
    length = start + part.length
  }
  const linked = parts.map((part, i) => {
    if (i === parts.length - 1) return part
    const padded = aligned(part, 8)
    padded.writeUInt32LE(padded.length, 0)
    return padded
  })
  return { bytes: join(...linked), count: parts.length }
}
