// What a search asks of sources: to have the text, or to be the one that is meant.
import type { EngineName, Query } from '../../db/query.ts'
import { ipv4Mark, ipv4Network, ipv4Search, ipv4Value } from '../../net/ipv4.ts'
import type { BlockHead, Sources } from '../../stores/incidents/block.ts'
import type { IncidentFilter } from '../../stores/incidents/filter.store.ts'
import { sourceId, sourcesContaining } from '../../stores/incidents/index.store.ts'
import { ALL_MEANT, HAS_TEXT, MEANT, OTHER, type Levels } from './match.ts'

export interface SourceTest {
  /** Whether any source can have the text. */
  readonly canHaveText: boolean
  /** Whether only one source is meant. */
  readonly isExact: boolean
  /** Whether a block with sources of these networks can have one with the text, or the one that is meant. */
  canBeIn(networks: BlockHead['networks']): boolean
  levels(sources: Sources): Levels
}

/** Undefined when no indexed incident has the source that is meant. */
export async function sourceTest(
  query: Query,
  engine: EngineName,
  { text, srcHost }: IncidentFilter,
): Promise<SourceTest | undefined> {
  const ipv4 = text === undefined ? undefined : ipv4Search(text)
  const having = text === undefined ? new Set<number>() : await sourcesContaining(query, engine, text)
  const isExact = srcHost !== undefined
  const address = isExact ? ipv4Value(srcHost) : undefined
  const id = isExact && address === undefined ? await sourceId(query, srcHost) : undefined
  if (isExact && address === undefined && id === undefined) return undefined

  function canBeIn(networks: string): boolean {
    if (networks === '' || having.size > 0 || id !== undefined) return true
    return networks.split(',').some((network) => {
      if (address !== undefined) return address >>> 16 === Number(network)
      return ipv4 !== undefined && ipv4Network(ipv4, Number(network))
    })
  }

  // Of the largest block; most blocks have no source with the text, and leave it as it is.
  const blank = new Uint8Array(2 ** 16).fill(MEANT)

  function levels({ addresses, listed }: Sources): Levels {
    let isAny = ipv4 !== undefined && ipv4Mark(ipv4, addresses, blank, HAS_TEXT)
    for (let at = 0; having.size > 0 && at < listed.length; at++) {
      if (!having.has(listed[at] as number)) continue
      blank[addresses.length + at] = HAS_TEXT
      isAny = true
    }
    if (!isAny) return ALL_MEANT
    const of = blank.slice(0, addresses.length + listed.length)
    blank.fill(MEANT, 0, of.length)
    return { of, least: MEANT, most: HAS_TEXT }
  }

  /** No kind makes up for the level of another source. */
  function levelsOfOne(sources: Sources): Levels {
    const { addresses, listed } = sources
    const all = [...addresses, ...listed]
    const place = address === undefined ? all.indexOf(id ?? -1, addresses.length) : addresses.indexOf(address)
    const of = new Uint8Array(all.length).fill(OTHER)
    if (place >= 0) of[place] = levels(sources).of[place] ?? MEANT
    return { of, least: OTHER, most: of[place] ?? OTHER }
  }

  return {
    canHaveText: ipv4 !== undefined || having.size > 0,
    isExact,
    canBeIn,
    levels: isExact ? levelsOfOne : levels,
  }
}
