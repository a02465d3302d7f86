// What local files say of an address: geography and network, and whether it is an exit of Tor. Nobody else is asked.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { AppContext } from '../../app-context.ts'
import { readAddress } from '../../addresses/address-set.ts'
import { filesVersion, watchVersion } from '../../watched-files.ts'
import { openFactFiles, type FactPaths, type Facts } from './fact-files.ts'

export interface IpFacts {
  /** What is known without reading a file; undefined for an address that was not looked up of late. */
  known(address: string): Facts | undefined
  /** Never rejects: what cannot be read is left out. */
  lookUp(address: string): Promise<Facts>
  stop(): Promise<void>
}

/** Addresses whose place and network are cached. */
const CACHE = limit('ip_facts_cache', 2_000)

/** Undefined where no file is named. */
export function openIpFacts(
  paths: FactPaths,
  { world: { clock }, log, background }: Pick<AppContext, 'world' | 'log' | 'background'>,
): IpFacts | undefined {
  const watched = [...paths.geoDatabases, ...(paths.torExits === undefined ? [] : [paths.torExits])]
  if (watched.length === 0) return undefined
  const version = (): string => filesVersion(watched)
  const cache = boundedMap<string, Facts>(CACHE)
  const first = version()
  let files = openFactFiles(paths, log)

  const stopWatching = watchVersion({ version, first, clock, background }, (isChanged) => {
    if (!isChanged) return
    const before = files
    files = openFactFiles(paths, log)
    cache.clear()
    void before.then((old) => old.close())
  })

  async function lookUp(text: string): Promise<Facts> {
    const cached = cache.get(text)
    const address = cached ? undefined : readAddress(text)
    if (address === undefined) return cached ?? {}
    const asked = files
    const { facts, isWhole } = await (await asked).lookUp(address)
    // Meanwhile they were replaced, and may be closed.
    if (asked !== files) return lookUp(text)
    if (isWhole) cache.set(text, facts)
    return facts
  }

  return {
    known: (address) => cache.get(address),
    lookUp,
    async stop() {
      stopWatching()
      await (await files).close()
    },
  }
}
