// Which incidents of a block match: by kind, state and source, all of them numbers.
import type { EngineName, Query } from '../../db/query.ts'
import { ipv4AnyContains, ipv4Contains, ipv4Search, ipv4Value, type Ipv4Search } from '../../net/ipv4.ts'
import { LISTED } from '../../stores/incidents/block.ts'
import type { IncidentFilter } from '../../stores/incidents/filter.store.ts'
import { IF_SOURCE, NO, sourceId, sourcesContaining, YES } from '../../stores/incidents/index.store.ts'

/** One verdict for all kinds, or one for each of a block's. */
export type Verdicts = number | Uint8Array

/** The verdict on each kind of a block; undefined when none of its incidents can match. */
export function localVerdicts(
  list: Uint32Array,
  verdicts: Uint8Array,
  canContain: boolean,
): Uint8Array | undefined {
  const local = new Uint8Array(list.length)
  let any = 0
  for (let at = 0; at < list.length; at++) {
    const verdict = verdicts[list[at] as number] ?? 0
    if (verdict === IF_SOURCE && !canContain) continue
    local[at] = verdict
    any |= verdict
  }
  return any === 0 ? undefined : local
}

export interface SourceTests {
  /** Whether any source can contain the text at all. */
  readonly canContain: boolean
  readonly ipv4: Ipv4Search | undefined
  readonly listed: ReadonlySet<number>
  /** Whether only one source is meant. */
  readonly isExact: boolean
  isMeant(value: number, isListed: boolean): boolean
  /** Whether an incident of a block may match that has these sources: most blocks have none of what is rare. */
  mayBeAmong(values: Uint32Array): boolean
}

/** Undefined when no indexed incident has the source that is meant. */
export async function sourceTests(
  query: Query,
  engine: EngineName,
  { text, srcHost }: IncidentFilter,
): Promise<SourceTests | undefined> {
  const ipv4 = text === undefined ? undefined : ipv4Search(text)
  const listed = text === undefined ? new Set<number>() : await sourcesContaining(query, engine, text)
  const address = srcHost === undefined ? undefined : ipv4Value(srcHost)
  const id = srcHost === undefined || address !== undefined ? undefined : await sourceId(query, srcHost)
  if (srcHost !== undefined && address === undefined && id === undefined) return undefined
  const mayBeMeant = (values: Uint32Array): boolean =>
    (address !== undefined && values.includes(address)) || (id !== undefined && values.includes(id))
  return {
    canContain: ipv4 !== undefined || listed.size > 0,
    ipv4,
    listed,
    isExact: srcHost !== undefined,
    isMeant: (value, isListed) => value === (isListed ? id : address),
    mayBeAmong: (values) =>
      srcHost === undefined
        ? listed.size > 0 || (ipv4 !== undefined && ipv4AnyContains(ipv4, values))
        : mayBeMeant(values),
  }
}

/** Whether nothing matches but by its source. */
export const isBySource = (verdicts: Verdicts): boolean =>
  typeof verdicts === 'number' ? verdicts !== YES : !verdicts.includes(YES)

export interface Columns {
  readonly kinds: Uint16Array
  readonly states: Uint8Array
  readonly sources: Uint32Array
}

/** The heart of it: some nanoseconds an incident. */
export function matchesOf(
  { kinds, states, sources }: Columns,
  verdictsOf: Verdicts,
  stateMask: number,
  state: number,
  { isExact, isMeant, ipv4, listed }: SourceTests,
  places: Uint16Array,
): number {
  const isOne = typeof verdictsOf === 'number'
  let count = 0
  for (let at = 0; at < states.length; at++) {
    const verdict = isOne ? verdictsOf : (verdictsOf[kinds[at] as number] as number)
    if (verdict === NO) continue
    const is = states[at] as number
    if ((is & stateMask) !== state) continue
    if (isExact && !isMeant(sources[at] as number, (is & LISTED) !== 0)) continue
    if (verdict === IF_SOURCE) {
      const source = sources[at] as number
      if ((is & LISTED) !== 0) {
        if (!listed.has(source)) continue
      } else if (!ipv4 || !ipv4Contains(ipv4, source)) continue
    }
    places[count++] = at
  }
  return count
}

/** Keeps the places whose time lies between, in place; answers how many. */
export function within(
  places: Uint16Array,
  count: number,
  times: Float64Array,
  after: number,
  before: number,
): number {
  let kept = 0
  for (let at = 0; at < count; at++) {
    const place = places[at] as number
    const time = times[place] as number
    if (time > after && time < before) places[kept++] = place
  }
  return kept
}
