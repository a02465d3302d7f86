// The archive of a release: a tar of plain files (POSIX ustar), sorted, with modes and times that are always the same, in zstd.
//
//   0      100    108    116    124          136     148       156        257        512
//   ├ name ┼ mode ┼ uid ─┼ gid ─┼ size ──────┼ mtime ┼ checksum ┼ type '0' … ┼ "ustar\0" "00" … ┤ bytes, in blocks of 512
import { createHash } from 'node:crypto'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { MAX_FILES, MAX_UNPACKED_BYTES } from './manifest.ts'

const BLOCK = 512
const NAME = /^(?!.{101})[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/

export type ReleaseFiles = ReadonlyMap<string, Buffer>

/** The same files make the same bytes. */
export function packFiles(files: ReleaseFiles): Buffer {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1))
  const blocks = sorted.flatMap(([name, bytes]) => [headerOf(name, bytes.length), padded(bytes)])
  return zstdCompressSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), {
    params: { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_checksumFlag]: 1 },
  })
}

/** Takes only what `packFiles` writes. Throws an Error whose message says, as a clause, what is wrong. */
export function unpackFiles(archive: Buffer): ReleaseFiles {
  const tar = decompress(archive)
  const files = new Map<string, Buffer>()
  let at = 0
  for (let last = ''; tar[at] !== 0;) {
    const header = tar.subarray(at, at + BLOCK)
    if (header.length < BLOCK) throw new Error('its archive is cut off')
    const name = header.toString('latin1', 0, 100).replace(/\0+$/, '')
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8)
    if (!NAME.test(name)) throw new Error(`its archive has the name ${JSON.stringify(name)}`)
    if (!(size <= tar.length) || !headerOf(name, size).equals(header))
      throw new Error(`its archive has ${name} as something else than a plain file of rookery release build`)
    if (name <= last || files.size === MAX_FILES)
      throw new Error(`its archive has ${name} out of order, or more than ${MAX_FILES} files`)
    const end = at + BLOCK + size
    if (end > tar.length) throw new Error('its archive is cut off')
    files.set(name, tar.subarray(at + BLOCK, end))
    last = name
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  if (tar.length !== at + 2 * BLOCK || tar.subarray(at).some((byte) => byte !== 0))
    throw new Error('its archive does not end with two empty blocks')
  return files
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** As in the manifest. */
export const hashesOf = (files: ReleaseFiles): Record<string, string> =>
  Object.fromEntries([...files].map(([name, bytes]) => [name, sha256(bytes)]))

function decompress(archive: Buffer): Buffer {
  try {
    return zstdDecompressSync(archive, { maxOutputLength: MAX_UNPACKED_BYTES })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Error(`its archive unpacks to more than ${MAX_UNPACKED_BYTES} bytes`, { cause: error })
    throw new Error(`its archive is no zstd: ${(error as Error).message}`, { cause: error })
  }
}

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0, 'latin1')
  header.write('0000644\0' + '0000000\0' + '0000000\0', 100, 'latin1')
  header.write(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`, 124, 'latin1')
  header.write('        0', 148, 'latin1')
  header.write('ustar\0' + '00', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)])
