// The servers that the decoy may claim to be, by the name that the setting has.
import type { Version } from './protocol/version.ts'
import { mariadb } from './products/mariadb/profile.ts'
import { mysql57, mysql80 } from './products/mysql/profile.ts'

export const VERSIONS: readonly Version[] = [mariadb, mysql57, mysql80]

export const DEFAULT_VERSION = 'mariadb-10.11'

/** The version of that name; settings were checked before. */
export function versionNamed(name: unknown): Version {
  const version = VERSIONS.find((each) => each.name === name)
  if (version) return version
  throw new RangeError(
    `dbsrv_b.version is ${JSON.stringify(name)}; it must be one of ${VERSIONS.map((each) => each.name).join(', ')}`,
  )
}
