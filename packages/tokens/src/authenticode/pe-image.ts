// A program of Windows as far as its signature needs it (PE Format, Microsoft Learn). Total: any bytes are an image, or refused.
import { createHash } from 'node:crypto'
import { UnusableFile } from '@rookery/kernel/unusable-file.ts'

export interface PeImage {
  /** Without a table of certificates, filled up to a multiple of 8. */
  readonly bytes: Buffer
  /** Where the checksum of the file stands: 4 bytes. */
  readonly checksumAt: number
  /** Where the entry of the table of certificates stands: file offset and size, 4 bytes each. */
  readonly entryAt: number
}

const MAGIC = { PE32: 0x10b, 'PE32+': 0x20b } as const
const EXECUTABLE_IMAGE = 0x0002
const CERTIFICATE_TABLE = 4
/** Its revision 2.0 and its type PKCS_SIGNED_DATA. */
const WIN_CERTIFICATE = { headBytes: 8, revision: 0x0200, type: 0x0002 } as const

/** Of any machine, program or library, with .NET or without. An earlier signature is taken off. */
export function readPeImage(given: Uint8Array): PeImage {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const { checksumAt, entryAt, end } = readHeaders(bytes)
  const whole = Buffer.alloc(Math.ceil(end / 8) * 8)
  bytes.copy(whole, 0, 0, end)
  whole.fill(0, entryAt, entryAt + 8)
  return { bytes: whole, checksumAt, entryAt }
}

/**
 *   at the offset in 60 … 63     + 4                  + 24
 *         ┌──────────────────────┬────────────────────┬──────────────────────────────────────┬──────────┐
 *         │ PE\0\0               │ COFF header, 20    │ optional header: magic, … checksum   │ sections │
 *         │                      │                    │ at 64, … directories of 8 bytes each │ 40 each  │
 *         └──────────────────────┴────────────────────┴──────────────────────────────────────┴──────────┘
 */
function readHeaders(bytes: Buffer): { checksumAt: number; entryAt: number; end: number } {
  const at = bytes.length >= 64 && bytes.toString('latin1', 0, 2) === 'MZ' ? bytes.readUInt32LE(60) : NaN
  if (!(at + 24 <= bytes.length) || bytes.toString('latin1', at, at + 4) !== 'PE\0\0')
    throw new UnusableFile('must be a program of Windows with a PE header, not of MS-DOS or of 16 bits')
  const sectionCount = bytes.readUInt16LE(at + 6)
  const optionalAt = at + 24
  const sectionsAt = optionalAt + bytes.readUInt16LE(at + 20)
  const headersEnd = sectionsAt + sectionCount * 40
  if (headersEnd > bytes.length) throw broken(`its headers end at ${headersEnd}`, bytes)
  if ((bytes.readUInt16LE(at + 22) & EXECUTABLE_IMAGE) === 0)
    throw new UnusableFile('must be a program or a library that was linked, not an object file')
  const magic = sectionsAt - optionalAt >= 2 ? bytes.readUInt16LE(optionalAt) : 0
  if (magic !== MAGIC.PE32 && magic !== MAGIC['PE32+'])
    throw new UnusableFile(`must be PE32 or PE32+, not of the magic number 0x${magic.toString(16)}`)
  const directoriesAt = optionalAt + (magic === MAGIC.PE32 ? 96 : 112)
  const entryAt = directoriesAt + CERTIFICATE_TABLE * 8
  const hasEntry = entryAt + 8 <= sectionsAt && bytes.readUInt32LE(directoriesAt - 4) > CERTIFICATE_TABLE
  if (!hasEntry)
    throw new UnusableFile('must have a place for a signature among the directories of its header')
  const end = contentEnd(bytes, entryAt, headersEnd)
  for (let section = sectionsAt; section < headersEnd; section += 40) {
    const size = bytes.readUInt32LE(section + 16)
    const sectionEnd = size === 0 ? 0 : bytes.readUInt32LE(section + 20) + size
    if (sectionEnd > end) throw broken(`a section of it ends at ${sectionEnd}`, bytes)
  }
  return { checksumAt: optionalAt + 64, entryAt, end }
}

const broken = (what: string, { length }: Buffer): UnusableFile =>
  new UnusableFile(`must be whole: ${what}, and its content at ${length}`)

/** Where the file ends without its table of certificates, which must be its last part. */
function contentEnd(bytes: Buffer, entryAt: number, headersEnd: number): number {
  const [at, size] = [bytes.readUInt32LE(entryAt), bytes.readUInt32LE(entryAt + 4)]
  if (at === 0 && size === 0) return bytes.length
  if (at < headersEnd || at + size > bytes.length)
    throw broken(`its signature stands at ${at} to ${at + size}`, bytes)
  const behind = bytes.subarray(at + size)
  if (behind.length >= 8 || behind.some((byte) => byte !== 0))
    throw new UnusableFile('must have nothing behind its signature, or no signature')
  return at
}

/** SHA-256 of all but the checksum and the entry (Windows Authenticode Portable Executable Signature Format). */
export const imageDigest = ({ bytes, checksumAt, entryAt }: PeImage): Buffer =>
  createHash('sha256')
    .update(bytes.subarray(0, checksumAt))
    .update(bytes.subarray(checksumAt + 4, entryAt))
    .update(bytes.subarray(entryAt + 8))
    .digest()

/** The image with this signature as its table of certificates, and the checksum of the whole. */
export function withSignature({ bytes, checksumAt, entryAt }: PeImage, signature: Buffer): Buffer {
  const size = Math.ceil((WIN_CERTIFICATE.headBytes + signature.length) / 8) * 8
  const table = Buffer.alloc(size)
  table.writeUInt32LE(size)
  table.writeUInt16LE(WIN_CERTIFICATE.revision, 4)
  table.writeUInt16LE(WIN_CERTIFICATE.type, 6)
  signature.copy(table, WIN_CERTIFICATE.headBytes)
  const whole = Buffer.concat([bytes, table])
  whole.writeUInt32LE(bytes.length, entryAt)
  whole.writeUInt32LE(size, entryAt + 4)
  whole.writeUInt32LE(0, checksumAt)
  whole.writeUInt32LE(checksumOf(whole), checksumAt)
  return whole
}

/** Of a file whose own checksum is zero, and whose length is even: its words added with their carries, and its length. */
export function checksumOf(file: Buffer): number {
  let sum = 0
  for (let at = 0; at < file.length; at += 2) {
    sum += file.readUInt16LE(at)
    sum = (sum & 0xffff) + (sum >>> 16)
  }
  return sum + file.length
}
