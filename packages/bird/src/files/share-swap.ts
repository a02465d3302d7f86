// The files of a zip become those of the decoy file share: each by its number in the zip, so that no name of a zip or of a
// client ever becomes a path. The index says which name and size each has.
import { SHARE_INDEX, type SharedFile } from '@rookery/decoys/services/smb/protocol/tree/uploaded.ts'
import { dosMoment } from '@rookery/kernel/zip/entry.ts'
import { isFolder, judgeTree } from '@rookery/kernel/zip/judge.ts'
import { readZip, unpack } from '@rookery/kernel/zip/read.ts'
import { SHARE_TREE, SHARE_ZIP } from '@rookery/kernel/zip/tree-limits.ts'
import { SHARE_FOLDER } from '../data-directory.ts'
import { swapFolder, type NewFile } from './folder-swap.ts'

/** Rejects with an Error that has the reason; then the old files are as they were. */
export async function replaceShare(directory: string, zip: Buffer): Promise<void> {
  const entries = readZip(zip, SHARE_ZIP)
  judgeTree(entries, SHARE_TREE)
  const numbered = [...entries.entries()].filter(([, entry]) => !isFolder(entry))
  const index = numbered.map(([number, { name, size, modifiedAt }]): SharedFile => ({
    number,
    size,
    name,
    modified: new Date(dosMoment(modifiedAt)).toISOString(),
  }))
  function* files(): Generator<NewFile> {
    yield { name: SHARE_INDEX, bytes: Buffer.from(JSON.stringify(index)) }
    for (const [number, entry] of numbered)
      yield { name: String(number), bytes: unpack(entry, SHARE_ZIP.unpackedBytes) }
  }
  await swapFolder(directory, SHARE_FOLDER, files())
}
