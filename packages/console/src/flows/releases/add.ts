// A release comes to the console: manifest, signature and archive, checked as far as a console can, which trusts no key.
import { Fault } from '@rookery/kernel/fault.ts'
import { hashesOf, sha256, unpackFiles } from '@rookery/link/release/archive.ts'
import { MAX_ARCHIVE_BYTES, parseManifest, type ReleaseManifest } from '@rookery/link/release/manifest.ts'
import type { AppContext } from '../../app-context.ts'
import { systemEntry } from '../../stores/audit/system-entry.ts'
import { releaseFile } from '../../stores/files/store.ts'
import {
  findRelease,
  insertRelease,
  listReleases,
  MAX_RELEASES,
  type ReleaseRow,
} from '../../stores/releases/store.ts'
import { storedFiles } from '../files/stored-files.ts'

/** Characters of a manifest in the JSON of a frame, whose length is bounded (packages/link/src/frames.ts). */
const MAX_OFFERED = 60_000

export interface NewRelease {
  readonly manifest: Buffer
  readonly signature: string
  readonly archive: Buffer
  readonly description: string
}

/** The same release again is a `conflict`; one whose parts do not fit together is `bad-input`. */
export async function addRelease(
  base: Pick<AppContext, 'writer' | 'world' | 'reader'>,
  maxBytes: number,
  { manifest, signature, archive, description }: NewRelease,
): Promise<ReleaseRow> {
  const { writer, world, reader } = base
  const parsed = checked(manifest, archive)
  const tag = sha256(manifest).slice(0, 32)
  await refuseKnown(reader, tag)
  const file = await storedFiles({ writer, world, maxBytes })({
    use: 'app',
    owner: tag,
    size: archive.length,
    source: (async function* () {
      yield await Promise.resolve(archive)
    })(),
  })
  const row: ReleaseRow = {
    tag,
    version: parsed.version,
    seq: parsed.seq,
    description: description || `Bird ${parsed.version}`,
    manifest: manifest.toString(),
    signature,
    file_id: file.fileId,
    sha256: file.sha256,
    size: file.size,
    ignored: 0,
    added_at: world.clock.now(),
  }
  try {
    await writer.write(
      async (tx) => {
        await refuseKnown(tx.query, tag)
        await insertRelease(tx, row)
      },
      'care',
      () => [
        systemEntry(world.clock, 'local', 'updates.add', 'Add a release', {
          update_tag: tag,
          version: parsed.version,
        }),
      ],
    )
  } catch (error) {
    await writer.write((tx) => releaseFile(tx, file.fileId))
    throw error
  }
  return row
}

async function refuseKnown(db: AppContext['reader'], tag: string): Promise<void> {
  if (await findRelease(db, tag)) throw new Fault('conflict', `The release ${tag} was added before.`)
  if ((await listReleases(db)).length >= MAX_RELEASES)
    throw new Fault(
      'conflict',
      `The console has ${MAX_RELEASES} releases, which are the most. Remove old ones: rookery release remove.`,
    )
}

function checked(bytes: Buffer, archive: Buffer): ReleaseManifest {
  try {
    if (archive.length > MAX_ARCHIVE_BYTES)
      throw new Error(`its archive has ${archive.length} bytes; ${MAX_ARCHIVE_BYTES} are the most`)
    const manifest = parseManifest(bytes)
    if (JSON.stringify(bytes.toString()).length > MAX_OFFERED)
      throw new Error(`its manifest is too long for a link: ${bytes.length} bytes; name fewer files`)
    if (manifest.archive.size !== archive.length || manifest.archive.sha256 !== sha256(archive))
      throw new Error('its archive is another one than its manifest names: sign it again')
    const hashes = hashesOf(unpackFiles(archive))
    const other = [...Object.keys(hashes), ...Object.keys(manifest.files)].find(
      (path) => hashes[path] !== manifest.files[path],
    )
    if (other !== undefined)
      throw new Error(`its file ${other} is another one than its manifest names: sign it again`)
    return manifest
  } catch (error) {
    throw new Fault('bad-input', `The release is not added: ${(error as Error).message}.`, { cause: error })
  }
}
