// The files with facts on addresses, in one version. One that cannot be used is said once, and its facts are left out.
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { Address } from '../../addresses/address-set.ts'
import { openDatabase, type Database } from './mmdb/database.ts'
import { GEO_WANTED, geoInfoOf, type GeoInfo } from './geo-info.ts'
import { loadTorExits } from './tor-exits.ts'

/** Event keys; each is left out where nothing is known. */
export type Facts = {
  readonly geo_info?: GeoInfo
  readonly is_tor_relay?: true
}

export interface FactPaths {
  readonly geoDatabases: readonly string[]
  /** Undefined where none is named. */
  readonly torExits: string | undefined
}

export interface FactFiles {
  /** Never rejects; `isWhole` says whether every file could be asked. */
  lookUp(address: Address): Promise<{ readonly facts: Facts; readonly isWhole: boolean }>
  close(): Promise<void>
}

type Log = Pick<Logger, 'info' | 'error'>

export const factPaths = ({
  ROOKERY_GEO_DB,
  ROOKERY_TOR_EXITS,
}: Pick<Config, 'ROOKERY_GEO_DB' | 'ROOKERY_TOR_EXITS'>): FactPaths => ({
  geoDatabases: ROOKERY_GEO_DB.split(',').flatMap((path) => path.trim() || []),
  torExits: ROOKERY_TOR_EXITS || undefined,
})

/** Never rejects. */
export async function openFactFiles({ geoDatabases, torExits }: FactPaths, log: Log): Promise<FactFiles> {
  const databases = await Promise.all(geoDatabases.map((path) => openLogged(path, log)))
  const exits = torExits === undefined ? undefined : await loadLogged(torExits, log)
  return {
    async lookUp(address) {
      const found = await Promise.all(databases.map((database) => database.lookUp(address)))
      // The first file that has a value counts.
      const geo_info: GeoInfo = Object.assign({}, ...found.toReversed())
      const facts: Facts = {
        ...(Object.keys(geo_info).length > 0 && { geo_info }),
        ...(exits?.has(address) && { is_tor_relay: true }),
      }
      return { facts, isWhole: !found.includes(undefined) }
    },
    async close() {
      await Promise.all(databases.map((database) => database.close()))
    },
  }
}

interface GeoDatabase {
  /** Undefined where the file could not be read. */
  lookUp(address: Address): Promise<GeoInfo | undefined>
  close(): Promise<void>
}

const UNUSABLE: GeoDatabase = { lookUp: () => Promise.resolve({}), close: () => Promise.resolve() }

async function openLogged(path: string, log: Log): Promise<GeoDatabase> {
  // Said once; and look-ups that a closed file does not answer any more are no failures of it.
  let isSilent = false
  function fail(error: unknown): undefined {
    if (!isSilent)
      log.error({ err: error, path }, 'geography database cannot be used; events lack what it would say')
    isSilent = true
  }
  let database: Database
  try {
    database = await openDatabase(path)
  } catch (error) {
    fail(error)
    return UNUSABLE
  }
  const { type, builtAt } = database.metadata
  log.info({ path, type, builtAt: new Date(builtAt).toISOString() }, 'geography database is in use')
  return {
    lookUp: async (address) => {
      try {
        return geoInfoOf((await database.lookUp(address, GEO_WANTED)) ?? {})
      } catch (error) {
        return fail(error)
      }
    },
    close() {
      isSilent = true
      return database.close()
    },
  }
}

async function loadLogged(path: string, log: Log) {
  try {
    const { addresses, count } = await loadTorExits(path)
    log.info({ path, count }, 'list of Tor exits is in use')
    return addresses
  } catch (error) {
    log.error({ err: error, path }, 'list of Tor exits cannot be used; events do not say who comes from Tor')
    return undefined
  }
}
