// Whether SQLite drops committed transactions when it opens a database after a kill. It reads its log (WAL) up to the first frame
// whose checksum is wrong, and says nothing of what lies behind (sqlite.org, "WAL-mode File Format"):
//
//   header  32 bytes   magic, version, page size, checkpoint number, salt ×2, checksum ×2
//   frame   24 bytes   page number, size of the database after a COMMIT or 0, salt ×2, checksum ×2; then the page
//
// A checksum goes on from that of the frame before, so that each frame can be judged by itself. What a kill or a power cut may
// leave half written is the last transaction: the next one is written once it lies on the disk. So a COMMIT behind a wrong
// frame that has a frame of a further transaction behind it was lost.
import { closeSync, constants, copyFileSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

export interface TornLog {
  /** The number of the wrong frame, 0 for the header. */
  readonly frame: number
  /** Transactions that were committed, and are dropped. */
  readonly lost: number
}

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** Of checksums over big-endian words; those that SQLite writes on today's machines are over little-endian ones. */
const BIG_ENDIAN_MAGIC = 0x377f0683
const PAGE_SIZE_AT = 16
/** The salts of a header, and of a frame. */
const HEADER_SALTS = 16
const FRAME_SALTS = 8
const SALTS_BYTES = 8

export const logOf = (database: string): string => `${database}-wal`
/** Where a torn log is kept: SQLite overwrites it. */
export const tornLogOf = (database: string): string => `${database}-wal.torn`

/** Call it before the database is opened. Undefined where nothing is lost, also for a log that is written meanwhile. */
export function findTornLog(database: string): TornLog | undefined {
  if (!existsSync(logOf(database))) return undefined
  const first = scan(database)
  // What is being written while it is read looks torn; it does not a second time.
  const second = first && scan(database)
  return first?.frame === second?.frame ? second : undefined
}

/** Keeps a copy of a torn log, and says what is lost. */
export function keepTornLog(database: string): TornLog | undefined {
  const torn = findTornLog(database)
  if (torn && !existsSync(tornLogOf(database)))
    copyFileSync(logOf(database), tornLogOf(database), constants.COPYFILE_EXCL)
  return torn
}

export const describeTornLog = (database: string, { frame, lost }: TornLog): string =>
  `the log ${logOf(database)} is damaged at frame ${frame}: SQLite drops ${lost} committed ${lost === 1 ? 'transaction' : 'transactions'} behind it. ` +
  `A copy is kept as ${tornLogOf(database)}; check the disk, and restore a backup if what is missing matters`

function scan(database: string): TornLog | undefined {
  const file = openSync(logOf(database), 'r')
  try {
    const header = readAt(file, 0, HEADER_BYTES)
    if (!header) return undefined
    const torn = scanFrames(file, header, pageBytesOf(database))
    // Another header: the log was begun anew meanwhile.
    return readAt(file, 0, HEADER_BYTES)?.equals(header) ? torn : undefined
  } finally {
    closeSync(file)
  }
}

/** As the database itself says: the header of the log may be wrong. */
function pageBytesOf(database: string): number {
  const file = openSync(database, 'r')
  try {
    const size = readAt(file, PAGE_SIZE_AT, 2)?.readUInt16BE(0)
    return size === 1 ? 65_536 : (size ?? 0)
  } finally {
    closeSync(file)
  }
}

function scanFrames(file: number, header: Buffer, pageBytes: number): TornLog | undefined {
  const frameBytes = FRAME_HEADER_BYTES + pageBytes
  const count = Math.floor((fstatSync(file).size - HEADER_BYTES) / frameBytes)
  if (pageBytes < 512) return undefined
  const isLittleEndian = header.readUInt32BE(0) !== BIG_ENDIAN_MAGIC
  const ofHeader = checksum([0, 0], header.subarray(0, 24), isLittleEndian)
  let before = sumAt(header, 24)
  let wrong = isSame(ofHeader, before) ? undefined : 0
  let salts = wrong === 0 ? undefined : header.subarray(HEADER_SALTS, HEADER_SALTS + SALTS_BYTES)
  let commits = 0
  let confirmed = 0

  for (let number = 1; number <= count; number++) {
    const frame = readAt(file, HEADER_BYTES + (number - 1) * frameBytes, frameBytes)
    if (!frame) break
    const its = frame.subarray(FRAME_SALTS, FRAME_SALTS + SALTS_BYTES)
    // Those of a header that is wrong may be wrong as well.
    salts ??= Buffer.from(its)
    const isOfThisLog = its.equals(salts)
    const stored = sumAt(frame, 16)
    const body = frame.subarray(FRAME_HEADER_BYTES)
    const made = checksum(checksum(before, frame.subarray(0, 8), isLittleEndian), body, isLittleEndian)
    const isWhole = isOfThisLog && isSame(made, stored)
    before = stored
    if (wrong === undefined && isWhole) continue
    wrong ??= number
    // A COMMIT counts once something follows it.
    if (isWhole) confirmed = commits
    if (isOfThisLog && (isWhole || number === wrong) && frame.readUInt32BE(4) !== 0) commits++
  }
  return wrong !== undefined && confirmed > 0 ? { frame: wrong, lost: commits } : undefined
}

type Sum = readonly [number, number]

const isSame = (a: Sum, b: Sum): boolean => a[0] === b[0] && a[1] === b[1]

const sumAt = (bytes: Buffer, at: number): Sum => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]

function checksum([first, second]: Sum, bytes: Buffer, isLittleEndian: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [s0, s1] = [first | 0, second | 0]
  for (let at = 0; at < bytes.length; at += 8) {
    s0 = (s0 + view.getInt32(at, isLittleEndian) + s1) | 0
    s1 = (s1 + view.getInt32(at + 4, isLittleEndian) + s0) | 0
  }
  return [s0 >>> 0, s1 >>> 0]
}

function readAt(file: number, at: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(length)
  return readSync(file, bytes, 0, length, at) === length ? bytes : undefined
}
