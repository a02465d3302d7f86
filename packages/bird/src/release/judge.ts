// Which releases a Bird takes: none but a signed, newer, unexpired one for this sensor and this Node. Each refusal says its name.
import { unpackFiles, hashesOf, sha256, type ReleaseFiles } from '@rookery/link/release/archive.ts'
import { compareVersions } from '@rookery/link/release/version.ts'
import {
  MAX_ARCHIVE_BYTES,
  parseManifest,
  PRODUCT,
  type ReleaseManifest,
} from '@rookery/link/release/manifest.ts'
import { MAX_MANIFEST_BYTES, signatureProblem, type ReleaseKey } from '@rookery/link/release/signature.ts'

const LAYER = 'app'

export interface OfferedRelease {
  readonly manifest: Buffer
  readonly signature: string
}

/** What the Bird is, at this moment. */
export interface Judge {
  readonly keys: readonly ReleaseKey[]
  readonly sensor: string
  /** Of Node. */
  readonly node: string
  /** Of the software that runs. */
  readonly version: string
  /** The highest `seq` that was accepted. */
  readonly seq: number
  /** The latest time that the Bird knows of. */
  readonly nowMs: number
}

/** Throws an Error whose message begins with the name of the refusal. */
export function judgeManifest({ manifest, signature }: OfferedRelease, judge: Judge): ReleaseManifest {
  const { keys, sensor, node, version, seq, nowMs } = judge
  if (manifest.length > MAX_MANIFEST_BYTES)
    throw refused(
      'too large',
      `its manifest has ${manifest.length} bytes; ${MAX_MANIFEST_BYTES} are the most`,
    )
  const release = named('not readable', () => parseManifest(manifest))
  const unsigned = named('not signed', () => signatureProblem(manifest, signature, keys))
  if (unsigned !== undefined) throw refused('not signed', unsigned)
  if (release.product !== PRODUCT || release.layer !== LAYER)
    throw refused(
      'other product',
      `it is the layer ${release.layer} of ${release.product}; a Bird takes the layer ${LAYER} of ${PRODUCT}`,
    )
  if (!release.sensors.includes(sensor))
    throw refused('other sensor', `it is for ${release.sensors.join(', ')}; this Bird is ${sensor}`)
  if (release.seq <= seq)
    throw refused('not newer', `its number is ${release.seq}; this Bird has accepted ${seq} already`)
  if (Date.parse(release.expires) <= nowMs || Number.isNaN(Date.parse(release.expires)))
    throw refused('expired', `it was valid until ${release.expires}; now is ${new Date(nowMs).toISOString()}`)
  if (!release.needs.node.includes(node))
    throw refused('other Node', `it needs Node ${release.needs.node.join(' or ')}; this Bird has ${node}`)
  if (compareVersions(version, release.needs.app_from) < 0)
    throw refused(
      'too far',
      `it updates versions from ${release.needs.app_from} on; this Bird has ${version}. Update it to ${release.needs.app_from} first`,
    )
  if (release.archive.size > MAX_ARCHIVE_BYTES)
    throw refused(
      'too large',
      `its archive has ${release.archive.size} bytes; ${MAX_ARCHIVE_BYTES} are the most`,
    )
  return release
}

/** The files of a judged release. Throws as `judgeManifest` does. */
export function judgeArchive({ archive, files }: ReleaseManifest, bytes: Buffer): ReleaseFiles {
  if (bytes.length !== archive.size || sha256(bytes) !== archive.sha256)
    throw refused('altered', 'its archive is another one than its manifest names')
  const unpacked = named('not unpackable', () => unpackFiles(bytes))
  const hashes = hashesOf(unpacked)
  const other = [...Object.keys(files), ...unpacked.keys()].find((path) => hashes[path] !== files[path])
  if (other !== undefined)
    throw refused('altered', `its file ${other} is another one than its manifest names`)
  return unpacked
}

export const refused = (name: string, reason: string): Error => new Error(`${name}: ${reason}`)

function named<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw refused(name, (error as Error).message)
  }
}
