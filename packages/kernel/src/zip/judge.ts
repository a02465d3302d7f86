// Judges the entries of an archive that is to become files: which names could leave the folder, hide, or mean two things.
import { UnusableFile } from '../unusable-file.ts'
import type { ZipEntry } from './entry.ts'

export interface TreeLimits {
  /** Files in all folders. */
  readonly files: number
  /** Files and folders, also those that only the names of files tell of. */
  readonly nodes: number
  /** Folders within each other, the outermost one among them. */
  readonly depth: number
}

/** What file systems bear. */
const PART_BYTES = 255
const NAME_BYTES = 1_024
/** Bad entries that a refusal lists. */
const LISTED = 20
/** Characters of a bad name that a refusal shows. */
const SHOWN = 80

/** Systems (upper byte of `madeBy`) that write the mode of Unix into the attributes: Unix and macOS. */
const UNIX = new Set([3, 19])
const TYPE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000
/** Bit 3: sizes and checksum stand behind the bytes, and are zero in the local header. */
const SIZES_FOLLOW = 1 << 3
const CONTROL = /\p{Cc}/u

export const isFolder = ({ name }: ZipEntry): boolean => name.endsWith('/')

/** Throws `UnusableFile` that lists up to 20 bad entries, each with its reason; of a good archive nothing has been unpacked either. */
export function judgeTree(entries: readonly ZipEntry[], limits: TreeLimits): void {
  const spelling = new Map<string, string>()
  const bad = entries.flatMap((entry) => {
    const reason = flawOf(entry, limits.depth) ?? clashOf(entry, spelling)
    return reason === undefined ? [] : [`${shown(entry.name)} ${reason}`]
  })
  if (bad.length > 0) throw new UnusableFile(listed(bad))
  const files = entries.filter((entry) => !isFolder(entry)).length
  if (files > limits.files)
    throw new UnusableFile(`must be an archive of at most ${limits.files} files, not ${files}`)
  if (spelling.size > limits.nodes)
    throw new UnusableFile(
      `must be an archive of at most ${limits.nodes} files and folders, not ${spelling.size}`,
    )
}

function listed(bad: readonly string[]): string {
  const more = bad.length > LISTED ? `, and ${bad.length - LISTED} more` : ''
  return `must be an archive without such entries: ${bad.slice(0, LISTED).join(', ')}${more}`
}

/** As JSON writes it: controls and quotes become visible. */
const shown = (name: string): string =>
  JSON.stringify(name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name)

const flawOf = (entry: ZipEntry, maxDepth: number): string | undefined =>
  flawOfName(entry.name, maxDepth) ?? flawOfType(entry) ?? flawOfHeader(entry)

function flawOfName(name: string, maxDepth: number): string | undefined {
  if (CONTROL.test(name)) return 'has a control character in its name'
  if (name.includes('\uFFFD')) return 'has a name that is not UTF-8'
  if (name.includes('\\')) return 'has a backslash in its name'
  if (/^[a-z]:/i.test(name)) return 'names a drive'
  if (name.startsWith('/')) return 'is an absolute path'
  const parts = partsOf(name)
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return 'has an empty part, "." or ".." in its path'
  if (parts.some((part) => Buffer.byteLength(part) > PART_BYTES) || Buffer.byteLength(name) > NAME_BYTES)
    return `has a name of more than ${PART_BYTES} bytes, or a path of more than ${NAME_BYTES}`
  // The outermost folder counts, and a file is no folder.
  const depth = name.endsWith('/') ? parts.length + 1 : parts.length
  return depth > maxDepth ? `is more than ${maxDepth} folders deep` : undefined
}

function flawOfType(entry: ZipEntry): string | undefined {
  const { madeBy, attributes, size } = entry
  if (isFolder(entry) && size > 0) return 'is a folder with content'
  if (!UNIX.has(madeBy >>> 8)) return undefined
  const type = (attributes >>> 16) & TYPE
  if (type !== 0 && type !== REGULAR && type !== FOLDER) return 'is a link or a device'
  if (type !== 0 && (type === FOLDER) !== isFolder(entry))
    return 'is a folder by its name or by its mode, not by both'
  return undefined
}

function flawOfHeader(entry: ZipEntry): string | undefined {
  const { local } = entry
  if (!local) return undefined
  const follow = (local.flags & SIZES_FOLLOW) !== 0
  const agrees = (said: number, known: number): boolean => said === known || (follow && said === 0)
  const isSame =
    local.name === entry.name &&
    local.method === entry.method &&
    local.flags === entry.flags &&
    agrees(local.crc, entry.crc) &&
    agrees(local.size, entry.size) &&
    agrees(local.packedSize, entry.packed.byteLength)
  return isSame ? undefined : 'has two headers that contradict each other'
}

/** Notes the entry and the folders above it; a name must be spelled in one way only, and be a file or a folder. */
function clashOf(entry: ZipEntry, spelling: Map<string, string>): string | undefined {
  const parts = partsOf(entry.name)
  for (let length = 1; length <= parts.length; length++) {
    const path = parts.slice(0, length).join('/')
    const node = length < parts.length || isFolder(entry) ? `${path}/` : path
    const known = spelling.get(path.toLowerCase())
    if (known !== undefined && known !== node) return `clashes with ${shown(known)}`
    spelling.set(path.toLowerCase(), node)
  }
  return undefined
}

const partsOf = (name: string): string[] => name.replace(/\/$/, '').split('/')
