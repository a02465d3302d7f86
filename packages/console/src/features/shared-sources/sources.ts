// The sources that may leave the console: public ones that no list ignores and that are nobody's own.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { AppContext } from '../../app-context.ts'
import type { Scope } from '../../db/query.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import { logtypeOf, logtypesOfLevelNames } from '../../logtypes.ts'
import { openAddressSet, readAddress, readRange } from '../../addresses/address-set.ts'
import { compileHostList } from '../../addresses/host-list.ts'
import { storedEntry } from '../../addresses/ip-list.ts'
import { isOwnAddress } from '../../addresses/own-address.ts'
import type { OwnHosts } from '../../addresses/own-hosts.ts'
import { parseRanges } from '../../addresses/ranges.ts'
import { addressesOfBirds } from '../../stores/birds/addresses.store.ts'
import { readAllLines } from '../../stores/ignore/store.ts'
import { seenSources, type SeenSource } from '../../stores/incidents/seen-sources.store.ts'
import { isEgressAllowed } from '../../world/egress-policy.ts'

export interface SharedDeps extends Pick<AppContext, 'engine' | 'reader' | 'world'> {
  readonly assets: Pick<Assets, 'index'>
  readonly ownHosts: OwnHosts
}

export interface Asked {
  readonly scope: Scope
  readonly flockId?: string | undefined
  readonly days: number
  /** Of incidents, separated by commas. */
  readonly levels: string
}

/** By last touch, the newest first. */
export type SharedSources = (asked: Asked) => Promise<readonly SeenSource[]>

/** Sources in one answer; the newest are named. */
const SOURCES = limit('shared_sources', 100_000)
/** Answers that are remembered for those who ask the same. */
const ANSWERS = limit('shared_source_answers', 20)
/** An answer reads every incident: firewalls that ask at the same time share it. */
const KEPT_MS = 60_000
const DAY_MS = 86_400_000
const NOTHING_ALLOWED = parseRanges('', '')

export function openSharedSources(deps: SharedDeps): SharedSources {
  const { engine, world } = deps
  const answers = boundedMap<string, { readonly at: number; readonly rows: Promise<SeenSource[]> }>(ANSWERS)

  async function read({ scope, flockId, days, levels }: Asked, now: number): Promise<SeenSource[]> {
    const mayLeave = await openJudge(deps)
    // Who changes settings is no intruder.
    const logtypes = logtypesOfLevelNames(levels, 'levels').filter((it) => logtypeOf(it).level !== 'house')
    const filter = { scope, flockId, logtypes, after: now - days * DAY_MS }
    const rows = await seenSources(engine, filter, SOURCES.max)
    if (rows.length === SOURCES.max) SOURCES.hit()
    return rows.filter(mayLeave)
  }

  return (asked) => {
    const now = world.clock.now()
    const key = JSON.stringify(asked)
    const known = answers.get(key)
    if (known && now - known.at < KEPT_MS && now >= known.at) return known.rows
    const rows = read(asked, now)
    answers.set(key, { at: now, rows })
    rows.catch(() => answers.delete(key))
    return rows
  }
}

/** Any line that names the address keeps it here, whatever port or logtypes it names, and whether its list is on or off. */
async function openJudge({ reader, assets, ownHosts }: SharedDeps): Promise<(source: SeenSource) => boolean> {
  const inventory = await assets.index()
  const kept = openAddressSet()
  const names: string[] = []
  const keep = (text: string): void => {
    const range = readRange(text)
    if (range) kept.add(range)
  }
  for (const { list, line } of await readAllLines(reader)) {
    if (list === 'hostname') names.push(line)
    else if (list !== 'annotation') keep(storedEntry(line)?.range ?? '')
  }
  for (const address of await addressesOfBirds(reader)) keep(address)
  const hosts = compileHostList(names)
  return ({ src_host, name }) => {
    const address = readAddress(src_host)
    return (
      address !== undefined &&
      isEgressAllowed(src_host, NOTHING_ALLOWED) &&
      !kept.has(address) &&
      !hosts.has(name) &&
      !isOwnAddress(src_host) &&
      !ownHosts.has(src_host) &&
      inventory.at(src_host) === undefined
    )
  }
}
