// What `rookery doctor` examines of the files that say where addresses are.
import { factPaths } from '../flows/ip-facts/fact-files.ts'
import { GEO_WANTED } from '../flows/ip-facts/geo-info.ts'
import { loadTorExits } from '../flows/ip-facts/tor-exits.ts'
import type { Config } from '../config/config.ts'
import { readAddress } from '../addresses/address-set.ts'
import { openDatabase } from '../flows/ip-facts/mmdb/database.ts'
import type { Finding } from './finding.ts'

/** Findings on each file that the options name; none where they name none. */
export async function examineIpFacts(config: Config): Promise<Finding[]> {
  const { geoDatabases, torExits } = factPaths(config)
  return [
    ...(await Promise.all(geoDatabases.map((path) => examine('ROOKERY_GEO_DB', path, databaseText)))),
    ...(torExits === undefined ? [] : [await examine('ROOKERY_TOR_EXITS', torExits, torText)]),
  ]
}

async function examine(
  option: string,
  path: string,
  describe: (path: string) => Promise<string>,
): Promise<Finding> {
  const about = 'addresses'
  try {
    return { ok: true, about, text: `${path} ${await describe(path)}` }
  } catch (error) {
    return { ok: false, about, text: `${option}: ${path} ${reasonOf(error)}: events lack what it would say` }
  }
}

/** Errors of the file system name the path themselves. */
const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return code === undefined ? message : `cannot be read (${code})`
}

/** From each end of both families, and between: a database that is cut or damaged is likely to fail at one. */
const SAMPLES = ['1.0.0.1', '64.0.0.1', '128.0.0.1', '192.0.1.1', '223.255.255.1', '2001::1', '2a00::1']

async function databaseText(path: string): Promise<string> {
  const database = await openDatabase(path)
  try {
    for (const sample of SAMPLES) await database.lookUp(readAddress(sample) ?? 0, GEO_WANTED)
    const { type, builtAt, nodeCount } = database.metadata
    const day = new Date(builtAt).toISOString().slice(0, 10)
    return `is ${type || 'a database without a type'} of ${day}, ${nodeCount} nodes`
  } finally {
    await database.close()
  }
}

const torText = async (path: string): Promise<string> =>
  `names ${(await loadTorExits(path)).count} exits of Tor`
