// The manifest of a release of the Bird's software: what it is, for which Birds, and the hash of each file.
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { MAX_MANIFEST_BYTES } from './signature.ts'

/** Most bytes of a packed release, and of its files unpacked. */
export const MAX_ARCHIVE_BYTES = 8 * 1024 * 1024
export const MAX_UNPACKED_BYTES = 32 * 1024 * 1024
export const MAX_FILES = 500
export const PRODUCT = 'rookery-bird'

const Version = Type.String({ pattern: '^(0|[1-9][0-9]{0,5})(\\.(0|[1-9][0-9]{0,5})){2}$' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

const Manifest = Type.Object({
  format: Type.Literal(1),
  product: Type.String({ maxLength: 64 }),
  layer: Type.String({ maxLength: 64 }),
  version: Version,
  /** Rises with every release: a Bird takes none below the highest that it has accepted. */
  seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  expires: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$' }),
  /** Such as `linux-x64`. */
  sensors: Type.Array(Type.String({ pattern: '^[a-z0-9]+-[a-z0-9]+$' }), { minItems: 1, maxItems: 16 }),
  needs: Type.Object({
    /** Versions of Node. */
    node: Type.Array(Version, { minItems: 1, maxItems: 16 }),
    /** The oldest installed version that may be updated. */
    app_from: Version,
  }),
  archive: Type.Object({ size: Type.Integer({ minimum: 1 }), sha256: Sha256 }),
  /** Path to SHA-256: the launcher checks every file at each start. */
  files: Type.Record(Type.String({ maxLength: 100 }), Sha256, { maxProperties: MAX_FILES }),
})

let validator: ReturnType<typeof compiled> | undefined
const compiled = () => Compile(Manifest)

export type ReleaseManifest = Static<typeof Manifest>

/** Throws an Error whose message says, as a clause, what is wrong with it. */
export function parseManifest(bytes: Buffer): ReleaseManifest {
  if (bytes.length > MAX_MANIFEST_BYTES)
    throw new Error(`its manifest has ${bytes.length} bytes; ${MAX_MANIFEST_BYTES} are the most`)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new Error(`its manifest is no JSON: ${(error as Error).message}`, { cause: error })
  }
  const format = (value as { format?: unknown } | null)?.format
  if (format !== 1)
    throw new Error(
      `its manifest has the format ${JSON.stringify(format)?.slice(0, 40)}; this release knows 1`,
    )
  validator ??= compiled()
  if (validator.Check(value)) return value
  const [problem] = validator.Errors(value)
  throw new Error(`its manifest is wrong at ${problem?.instancePath || '/'}: ${problem?.message}`)
}
