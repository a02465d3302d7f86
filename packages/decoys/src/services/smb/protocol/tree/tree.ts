// The share as a tree of nodes with stable ids, dates and sizes.
import { byWord } from '@rookery/kernel/by-word.ts'
import { fileTime, fromFileTime } from '../../../../windows/filetime.ts'
import type { FileTimes } from '../codec/create.ts'
import { extensionOf } from './content/content.ts'
import { draw, type Derive, type Draw } from '../../../../machine/draw.ts'
import type { NodeSetting } from './node-setting.ts'

interface NodeFacts {
  readonly name: string
  /** From the share's root, with backslashes; empty for the root. */
  readonly path: string
  /** The file's reference number, as NTFS gives it: it names the file on its volume. */
  readonly id: bigint
  readonly modifiedAt: number
  readonly times: FileTimes
  readonly attributes: number
  readonly size: number
  readonly allocationSize: number
}

export interface FileNode extends NodeFacts {
  readonly type: 'file'
  /** Number of the uploaded file that it shows. */
  readonly uploaded?: number
}

export interface DirectoryNode extends NodeFacts {
  readonly type: 'directory'
  /** In the order in which they are listed. */
  readonly children: readonly TreeNode[]
  readonly parentId: bigint
}

export type TreeNode = FileNode | DirectoryNode

export const ATTRIBUTE = { directory: 0x10, archive: 0x20, normal: 0x80 } as const
const CLUSTER_BYTES = 4_096
/** The files were written in the three years before. */
const NEWEST = Date.UTC(2026, 5, 30)
const YEARS_MS = 3 * 365 * 86_400_000
const DAY_MS = 86_400_000

/** What a file system makes of files: their ids, their order, what they take. */
export interface FileSystem {
  readonly rootId: bigint
  /** `record`: a number that no other file has. */
  readonly idOf: (from: Draw, record: number) => bigint
  readonly sort: (nodes: readonly NodeSetting[]) => readonly NodeSetting[]
  readonly allocated: (size: number) => number
  readonly fileAttributes: number
}

/** Builds the tree of a share. The same settings give the same tree on the same Bird. */
export function shareTree(
  nodes: readonly NodeSetting[],
  derive: Derive,
  fileSystem: FileSystem = NTFS,
): DirectoryNode {
  const records = new Set<number>()
  const build = (setting: NodeSetting, folder: string, parentId: bigint): TreeNode => {
    const path = folder === '' ? setting.name : `${folder}\\${setting.name}`
    const from = draw(derive, `smb/node/${path}`)
    const record = freeRecord(records, from)
    const id = setting.name === '' ? fileSystem.rootId : fileSystem.idOf(from, record)
    if (setting.type === 'file') {
      const size = setting.size ?? likelySize(setting.name, from)
      const modifiedAt = modifiedOf(setting, from)
      const facts = { name: setting.name, path, id, modifiedAt, times: timesOf(modifiedAt, from) }
      const allocationSize = fileSystem.allocated(size)
      const more = setting.uploaded === undefined ? {} : { uploaded: setting.uploaded }
      const attributes = fileSystem.fileAttributes
      return { ...facts, ...more, type: 'file', size, allocationSize, attributes }
    }
    const children = fileSystem.sort(setting.children ?? []).map((child) => build(child, path, id))
    const times = folderTimes(
      timesOf(modifiedOf(setting, from), from),
      children,
      setting.modified !== undefined,
    )
    const facts = { name: setting.name, path, id, modifiedAt: fromFileTime(times.writtenAt), times }
    const none = { size: 0, allocationSize: 0, attributes: ATTRIBUTE.directory }
    return { ...facts, ...none, type: 'directory', children, parentId }
  }
  const root = build({ name: '', type: 'directory', children: nodes }, '', fileSystem.rootId)
  return root as DirectoryNode
}

/** A number of a file record that no other node has. */
function freeRecord(taken: Set<number>, { between }: Draw): number {
  let record = between(0x40, 0x7ff000)
  while (taken.has(record)) record += 1
  taken.add(record)
  return record
}

/** NTFS sorts by name in upper case. */
const byName = (a: NodeSetting, b: NodeSetting): number => {
  const [one, other] = [a.name.toUpperCase(), b.name.toUpperCase()]
  return one < other ? -1 : one > other ? 1 : 0
}

function modifiedOf({ modified }: NodeSetting, { between }: Draw): number {
  const given = modified === undefined ? NaN : Date.parse(modified)
  if (!Number.isNaN(given)) return given
  const day = NEWEST - between(1, YEARS_MS / DAY_MS) * DAY_MS
  // At work, to the second and below.
  return day + between(7 * 3_600, 18 * 3_600) * 1_000 + between(0, 999)
}

/** Created up to a year before it was last written. NTFS notes no reading on volumes above 128 GB: access is the last write. */
function timesOf(modifiedAt: number, { between }: Draw): FileTimes {
  const ticks = BigInt(between(0, 9_999))
  const writtenAt = fileTime(modifiedAt) + ticks
  const createdAt = fileTime(modifiedAt - between(0, 365 * 86_400) * 1_000) + BigInt(between(0, 9_999))
  return { createdAt, accessedAt: writtenAt, writtenAt, changedAt: writtenAt + BigInt(between(0, 3_000_000)) }
}

/** A folder is older than what lies in it, and was written to when the newest of it came there. */
function folderTimes(own: FileTimes, children: readonly TreeNode[], isGiven: boolean): FileTimes {
  const created = children.map(({ times }) => times.createdAt)
  const earliest = created.reduce((least, each) => (each < least ? each : least), own.createdAt)
  const latest = created.reduce((most, each) => (each > most ? each : most), 0n)
  const writtenAt = isGiven || children.length === 0 ? own.writtenAt : latest
  const accessedAt = own.accessedAt > writtenAt ? own.accessedAt : writtenAt
  return { createdAt: earliest, accessedAt, writtenAt, changedAt: writtenAt }
}

/** Kilobytes from and to, by extension. */
const SIZES = byWord<readonly [number, number]>({
  docx: [14, 120],
  xlsx: [12, 240],
  pptx: [400, 6_000],
  pdf: [60, 2_400],
  zip: [400, 30_000],
  jpg: [300, 5_000],
  png: [20, 900],
  mp4: [9_000, 180_000],
  exe: [900, 60_000],
  bak: [8_000, 400_000],
  vhdx: [4_000_000, 30_000_000],
  iso: [700_000, 4_500_000],
  pst: [40_000, 900_000],
})
const SMALL: readonly [number, number] = [1, 24]

function likelySize(name: string, { between }: Draw): number {
  const [least, most] = SIZES[extensionOf(name)] ?? SMALL
  return between(least, most) * 1_024 + between(0, 1_023)
}

/** Up to about 700 bytes lie in the file record itself (resident data of NTFS). */
const allocated = (size: number): number =>
  size <= 700 ? (size + 7) & ~7 : Math.ceil(size / CLUSTER_BYTES) * CLUSTER_BYTES

const NTFS: FileSystem = {
  rootId: 0x5_0000_0000_0005n,
  idOf: ({ between }, record) => (BigInt(between(1, 7)) << 48n) | BigInt(record),
  sort: (nodes) => [...nodes].sort(byName),
  allocated,
  fileAttributes: ATTRIBUTE.archive,
}

/** The directory of named pipes; each of them counts its instances in place of bytes. */
export function pipeDirectory(names: readonly string[], installedAt: number): DirectoryNode {
  const none = { createdAt: 0n, accessedAt: 0n, writtenAt: 0n, changedAt: 0n }
  const facts = { id: 0n, modifiedAt: installedAt, times: none }
  const children = names.map((name): FileNode => {
    const counts = { size: 3, allocationSize: 0xffffffff, attributes: ATTRIBUTE.normal }
    return { ...facts, ...counts, type: 'file', name, path: name }
  })
  const root = { name: '', path: '', size: 0, allocationSize: 0, attributes: ATTRIBUTE.directory }
  return { ...facts, ...root, type: 'directory', children, parentId: 0n }
}

/** What a path leads to: a node, or what Windows says of it ([MS-FSA] 2.1.5.1). */
export type Lookup = TreeNode | 'no-name' | 'no-path' | 'invalid-name'

const MAX_PATH = 32_767
const MAX_NAME = 255

/** `path` has no backslash at its front; names are equal whatever their case. */
export function lookUp(root: DirectoryNode, path: string): Lookup {
  if (path === '') return root
  if (path.length > MAX_PATH) return 'invalid-name'
  const names = path.replace(/\\$/, '').split('\\')
  if (names.some((name) => !isName(name))) return 'invalid-name'
  let node: TreeNode = root
  for (const [i, name] of names.entries()) {
    if (node.type === 'file') return i === names.length ? node : 'no-path'
    const wanted = name.toUpperCase()
    const child: TreeNode | undefined = node.children.find((each) => each.name.toUpperCase() === wanted)
    if (!child) return i === names.length - 1 ? 'no-name' : 'no-path'
    node = child
  }
  return node
}

/** Names of the folder itself and of the one above, and characters that no name has ([MS-FSCC] 2.1.5). */
const isName = (name: string): boolean =>
  name.length > 0 && name.length <= MAX_NAME && !/^\.{1,2}$|["*/:<>?|\x00-\x1f]/.test(name)
