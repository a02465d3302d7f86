// The pages of a zip take the place of the webroot.
import { WEBROOT_BYTES, WEBROOT_DEPTH, WEBROOT_FILES } from '@rookery/decoys/services/http/webroot.ts'
import { isFolder, judgeTree } from '@rookery/kernel/zip/judge.ts'
import { readZip, unpack } from '@rookery/kernel/zip/read.ts'
import { WEBROOT_FOLDER } from '../data-directory.ts'
import { swapFolder } from './folder-swap.ts'

/** Of the unpacked bytes to the packed ones. */
const RATIO = 100
/** Folders have entries as well. */
const ENTRIES = 2 * WEBROOT_FILES.max

/** Rejects with an Error that has the reason; then the old pages are as they were. */
export async function replaceWebroot(directory: string, zip: Buffer): Promise<void> {
  const entries = readZip(zip, { entries: ENTRIES, unpackedBytes: WEBROOT_BYTES.max, ratio: RATIO })
  judgeTree(entries, { files: WEBROOT_FILES.max, nodes: ENTRIES, depth: WEBROOT_DEPTH.max })
  const files = entries.filter((entry) => !isFolder(entry))
  if (files.length === 0) throw new Error('must be an archive with at least one file')
  const unpacked = files
    .values()
    .map((entry) => ({ name: entry.name, bytes: unpack(entry, WEBROOT_BYTES.max) }))
  await swapFolder(directory, WEBROOT_FOLDER, unpacked)
}
