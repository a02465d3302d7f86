// The disk of a machine whose power is cut: what was synced is there; of the rest, as much as the cut allows.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { removeFolder } from '../../../rig/folder.ts'
import type { Dice } from '../dice.ts'
import type { JournalRecord } from './journal.ts'

/** What becomes of changes that were not synced: all dropped, all kept, or each by chance, also in part. */
export type Unsynced = 'dropped' | 'kept' | Dice

interface File {
  readonly base: Buffer
  readonly changes: { readonly number: number; readonly at: number; readonly bytes: Buffer | undefined }[]
  syncedUpTo: number
}

export interface Directory {
  readonly base: ReadonlyMap<string, Node>
  /** As its processes see it. */
  readonly live: Map<string, Node>
  readonly changes: { readonly number: number; readonly name: string; readonly node: Node | undefined }[]
  syncedUpTo: number
}

type Node = File | Directory

const isDirectory = (node: Node | undefined): node is Directory => node !== undefined && 'live' in node

const newFile = (base: Buffer): File => ({ base, changes: [], syncedUpTo: 0 })
const newDirectory = (base: ReadonlyMap<string, Node>): Directory => ({
  base,
  live: new Map(base),
  changes: [],
  syncedUpTo: 0,
})

/** SQLite's index of the log is shared memory, which no power cut leaves. */
const isVolatile = (name: string): boolean => name.endsWith('-shm')

/** Everything below a folder as it is now, taken as durable. */
export function readDisk(path: string): Directory {
  const entries = readdirSync(path, { withFileTypes: true }).filter(({ name }) => !isVolatile(name))
  return newDirectory(
    new Map(
      entries.map((entry): [string, Node] => {
        const inside = join(path, entry.name)
        return [entry.name, entry.isDirectory() ? readDisk(inside) : newFile(readFileSync(inside))]
      }),
    ),
  )
}

/** Plays a journal on the disk as it was before, below `root`. */
export function replay(disk: Directory, root: string, records: readonly JournalRecord[]): void {
  const inodes = new Map<number, File>()
  for (const record of records) {
    const { kind, number, path } = record
    switch (kind) {
      case 'opened': {
        const isNew = record.offset === 1
        const file = isNew ? newFile(Buffer.alloc(0)) : nodeAt(disk, root, path)
        if (file === undefined || isDirectory(file)) throw missed(path)
        inodes.set(record.inode, file)
        if (isNew) change(disk, root, path, number, file)
        break
      }
      case 'written':
      case 'truncated': {
        const bytes = kind === 'written' ? record.bytes : undefined
        fileOf(inodes, record).changes.push({ number, at: record.offset, bytes })
        break
      }
      case 'synced':
        fileOf(inodes, record).syncedUpTo = record.offset
        break
      case 'linked':
      case 'renamed': {
        const node = nodeAt(disk, root, path)
        if (node === undefined) throw missed(path)
        if (kind === 'renamed') change(disk, root, path, number, undefined)
        change(disk, root, record.bytes.toString(), number, node)
        break
      }
      case 'removed':
        change(disk, root, path, number, undefined)
        break
      case 'directory-made':
        change(disk, root, path, number, newDirectory(new Map()))
        break
      case 'directory-synced': {
        const node = nodeAt(disk, root, path)
        if (!isDirectory(node)) throw missed(path)
        node.syncedUpTo = record.offset
      }
    }
  }
}

function change(disk: Directory, root: string, path: string, number: number, node: Node | undefined): void {
  const parent = nodeAt(disk, root, dirname(path))
  if (!isDirectory(parent)) throw missed(path)
  const name = basename(path)
  parent.changes.push({ number, name, node })
  enter(parent.live, name, node)
}

function enter(entries: Map<string, Node>, name: string, node: Node | undefined): void {
  if (node === undefined) entries.delete(name)
  else entries.set(name, node)
}

function nodeAt(disk: Directory, root: string, path: string): Node | undefined {
  const names = path
    .slice(root.length)
    .split('/')
    .filter((name) => name !== '')
  return names.reduce<Node | undefined>(
    (node, name) => (isDirectory(node) ? node.live.get(name) : undefined),
    disk,
  )
}

function fileOf(inodes: ReadonlyMap<number, File>, { inode, kind }: JournalRecord): File {
  const file = inodes.get(inode)
  if (!file) throw missed(`inode ${inode}, ${kind}`)
  return file
}

const missed = (what: string): Error => new Error(`The journal has missed a change before: ${what}.`)

/** How many changes a cut at this moment could take. */
export const unsyncedChanges = (node: Directory | File): number =>
  node.changes.filter(({ number }) => number > node.syncedUpTo).length +
  (isDirectory(node) ? [...node.live.values()].reduce((sum, inside) => sum + unsyncedChanges(inside), 0) : 0)

/** Every file after the cut: path below the root → content; a directory ends in `/`. */
export function contentsAfter(disk: Directory, unsynced: Unsynced, path = ''): Map<string, Buffer> {
  const entries = new Map(disk.base)
  // A directory's changes reach the disk in their order, as in a journaling file system.
  const pending = disk.changes.filter(({ number }) => number > disk.syncedUpTo).length
  const lost = unsynced === 'dropped' ? pending : unsynced === 'kept' ? 0 : unsynced.between(0, pending)
  for (const { name, node } of disk.changes.slice(0, disk.changes.length - lost)) enter(entries, name, node)
  const contents = new Map<string, Buffer>()
  for (const [name, node] of entries) {
    if (isDirectory(node)) {
      contents.set(`${path}${name}/`, Buffer.alloc(0))
      for (const [inside, bytes] of contentsAfter(node, unsynced, `${path}${name}/`))
        contents.set(inside, bytes)
    } else contents.set(path + name, contentOf(node, unsynced))
  }
  return contents
}

const SECTOR = 512

function contentOf({ base, changes, syncedUpTo }: File, unsynced: Unsynced): Buffer {
  const ends = changes.map(({ at, bytes }) => at + (bytes?.length ?? 0))
  const content = Buffer.alloc(ends.reduce((most, end) => Math.max(most, end), base.length))
  base.copy(content)
  let size = base.length
  for (const { number, at, bytes } of changes) {
    const isSynced = number <= syncedUpTo
    // Of what was not synced: 0 nothing, 1 everything, 2 some of its sectors.
    const fate = isSynced || unsynced === 'kept' ? 1 : unsynced === 'dropped' ? 0 : unsynced.between(0, 2)
    if (fate === 0) continue
    if (bytes === undefined) {
      if (at < size) content.fill(0, at, size)
      size = at
      continue
    }
    for (let from = 0; from < bytes.length;) {
      const to = Math.min(bytes.length, from + SECTOR - ((at + from) % SECTOR))
      const isKept = fate === 1 || typeof unsynced === 'string' || unsynced.between(0, 1) === 1
      if (isKept) bytes.copy(content, at + from, from, to)
      if (isKept) size = Math.max(size, at + to)
      from = to
    }
  }
  return content.subarray(0, size)
}

/** Empties the folder and writes what the cut has left. */
export function writeDisk(path: string, contents: ReadonlyMap<string, Buffer>): void {
  removeFolder(path)
  mkdirSync(path, { mode: 0o700 })
  for (const [name, bytes] of contents)
    if (name.endsWith('/')) mkdirSync(join(path, name), { mode: 0o700 })
    else writeFileSync(join(path, name), bytes, { mode: 0o600 })
}

/** Files that differ between a folder and what the journal says of it: none, or the journal is not the truth. */
export function differences(path: string, contents: ReadonlyMap<string, Buffer>): string[] {
  const real = contentsAfter(readDisk(path), 'kept')
  const names = new Set([...real.keys(), ...contents.keys()])
  return [...names].filter((name) => {
    const [a, b] = [real.get(name), contents.get(name)]
    return a === undefined || b === undefined || !a.equals(b)
  })
}
