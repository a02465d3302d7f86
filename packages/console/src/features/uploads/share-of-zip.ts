// The tree that a zip of files makes of a share: its directory is read and judged, nothing is unpacked.
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { checkSettings } from '@rookery/decoys/settings/settings.ts'
import { readingUpload, UnusableFile } from '@rookery/kernel/unusable-file.ts'
import { isFolder, judgeTree } from '@rookery/kernel/zip/judge.ts'
import { dosMoment, type ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { readZip } from '@rookery/kernel/zip/read.ts'
import { SHARE_TREE, SHARE_ZIP } from '@rookery/kernel/zip/tree-limits.ts'
import type { Query } from '../../db/query.ts'
import { readBytes } from '../../flows/files/stored-files.ts'
import type { Settings } from '../../stores/birds/settings.ts'
import type { TransferRow } from '../../stores/transfers/store.ts'

const TREE = 'smb.filetree'

/** The settings of the Bird once it has the files; rejects with `bad-input` and the reason for a zip that is no share. */
export async function shareOf(db: Query, { file_id, size }: TransferRow): Promise<Settings> {
  const zip = await readBytes(db, { fileId: file_id, sha256: '', size }, 0, size)
  return { [TREE]: await readingUpload('zip', () => treeOf(zip)) }
}

function treeOf(zip: Buffer): readonly Node[] {
  const entries = readZip(zip, SHARE_ZIP)
  judgeTree(entries, SHARE_TREE)
  const tree = asTree(entries)
  const problem = checkSettings(descriptors, { [TREE]: tree })[TREE]
  if (problem !== undefined) throw new UnusableFile(problem)
  return tree
}

type Node = Folder | { readonly name: string; readonly type: 'file'; readonly uploaded: number }
interface Folder {
  readonly name: string
  readonly type: 'directory'
  readonly children: Node[]
}

/** `uploaded` is the place of the file in the zip's directory. */
function asTree(entries: readonly ZipEntry[]): readonly Node[] {
  const root: Folder = { name: '', type: 'directory', children: [] }
  const folders = new Map<string, Folder>([['', root]])
  const folderAt = (parts: readonly string[]): Folder => {
    const path = parts.join('/')
    const known = folders.get(path)
    if (known) return known
    const made: Folder = { name: parts.at(-1) ?? '', type: 'directory', children: [] }
    folders.set(path, made)
    folderAt(parts.slice(0, -1)).children.push(made)
    return made
  }
  for (const [uploaded, entry] of entries.entries()) {
    const parts = entry.name.replace(/\/$/, '').split('/')
    if (isFolder(entry)) folderAt(parts)
    else {
      const modified = new Date(dosMoment(entry.modifiedAt)).toISOString()
      const file = { name: parts.at(-1) ?? '', type: 'file', size: entry.size, modified, uploaded } as const
      folderAt(parts.slice(0, -1)).children.push(file)
    }
  }
  return root.children
}
