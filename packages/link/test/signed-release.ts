// Releases of tests: signed by a key of their own.
import { hashesOf, packFiles, sha256, type ReleaseFiles } from '../src/release/archive.ts'
import { PRODUCT, type ReleaseManifest } from '../src/release/manifest.ts'
import { newReleaseKey, signManifest, type ReleaseKey } from '../src/release/signature.ts'

const own = newReleaseKey()
/** The key that signs them. */
export const RELEASE_KEY: ReleaseKey = own.key

export interface SignedRelease {
  readonly files: ReleaseFiles
  readonly archive: Buffer
  readonly manifest: Buffer
  readonly signature: string
  readonly tag: string
}

/** A release of these files; `change` alters its manifest before it is signed. */
export function releaseOf(
  files: ReleaseFiles,
  change: Partial<ReleaseManifest> = {},
  privateKey = own.privateKey,
): SignedRelease {
  const archive = packFiles(files)
  const manifest = Buffer.from(
    JSON.stringify({
      format: 1,
      product: PRODUCT,
      layer: 'app',
      version: '3.1.0',
      seq: 41,
      expires: '2099-01-01T00:00:00Z',
      sensors: [`${process.platform}-${process.arch}`],
      needs: { node: [process.versions.node], app_from: '3.0.0' },
      archive: { size: archive.length, sha256: sha256(archive) },
      files: hashesOf(files),
      ...change,
    } satisfies ReleaseManifest),
  )
  return {
    files,
    archive,
    manifest,
    signature: signManifest(manifest, privateKey),
    tag: sha256(manifest).slice(0, 32),
  }
}

/** The same, of texts. */
export const signedRelease = (
  texts: Readonly<Record<string, string>> = { 'rookery-bird.mjs': 'process.exit()' },
  ...rest: [change?: Partial<ReleaseManifest>, privateKey?: string]
): SignedRelease =>
  releaseOf(new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)])), ...rest)
