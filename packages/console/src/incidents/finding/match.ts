// Which incidents of a block match: by kind, state and source, all of them numbers.
import type { EngineName, Query } from '../../db/query.ts'
import { ipv4Marks, ipv4Search, ipv4Value } from '../../net/ipv4.ts'
import { LISTED } from '../../stores/incidents/block.ts'
import type { IncidentFilter } from '../../stores/incidents/filter.store.ts'
import { IF_SOURCE, sourceId, sourcesContaining, YES } from '../../stores/incidents/index.store.ts'

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
  readonly listed: ReadonlySet<number>
  /** Whether only one source is meant. */
  readonly isExact: boolean
  isMeant(value: number, isListed: boolean): boolean
  /**
   * A block's sources, taken for IPv4 addresses: 1 where one contains the text; undefined when no source of the block
   * can be meant. Most blocks have none of what is rare.
   */
  marks(sources: Uint32Array): Uint8Array | undefined
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
    srcHost === undefined || values.includes(address ?? id ?? 0)
  return {
    canContain: ipv4 !== undefined || listed.size > 0,
    listed,
    isExact: srcHost !== undefined,
    isMeant: (value, isListed) => value === (isListed ? id : address),
    marks(values) {
      if (!mayBeMeant(values)) return undefined
      const marked = ipv4 && ipv4Marks(ipv4, values)
      // One source is meant and is there: what its kind lets through matches without containing the text itself.
      const mayMatch = text === undefined || srcHost !== undefined || listed.size > 0
      return marked ?? (mayMatch ? UNMARKED : undefined)
    },
  }
}

/** Of the largest block. */
export const UNMARKED = new Uint8Array(2 ** 16)

/** Whether nothing matches but by its source. */
export const isBySource = (verdicts: Verdicts): boolean =>
  typeof verdicts === 'number' ? verdicts !== YES : !verdicts.includes(YES)

export interface Columns {
  readonly kinds: Uint16Array
  readonly states: Uint8Array
  readonly sources: Uint32Array
  /** From `SourceTests`. */
  readonly marks: Uint8Array
}

/** The heart of it: some nanoseconds an incident. */
export function matchesOf(
  columns: Columns,
  verdictsOf: Verdicts,
  stateMask: number,
  state: number,
  tests: SourceTests,
  places: Uint16Array,
): number {
  const found = candidates(columns, verdictsOf, tests.listed.size > 0, places)
  const { states, sources, marks, kinds } = columns
  const { isExact, isMeant, listed } = tests
  let count = 0
  for (let n = 0; n < found; n++) {
    const at = places[n] as number
    const is = states[at] as number
    if ((is & stateMask) !== state) continue
    const isListed = (is & LISTED) !== 0
    const source = sources[at] as number
    if (isExact && !isMeant(source, isListed)) continue
    const verdict = typeof verdictsOf === 'number' ? verdictsOf : verdictsOf[kinds[at] as number]
    if (verdict === IF_SOURCE && !(isListed ? listed.has(source) : marks[at] === 1)) continue
    places[count++] = at
  }
  return count
}

/** Those that their kind or their mark lets through, and all that only a listed source could tell. Nothing is called here. */
function candidates(
  { kinds, states, marks }: Columns,
  verdicts: Verdicts,
  hasListed: boolean,
  places: Uint16Array,
): number {
  const length = states.length
  let count = 0
  if (typeof verdicts === 'number') {
    const isLet = verdicts === YES || hasListed
    for (let at = 0; at < length; at++) if (isLet || marks[at] === 1) places[count++] = at
    return count
  }
  // 2 YES, 1 IF_SOURCE, 0 NO: with the mark added, what is let through exceeds 1.
  const least = hasListed ? IF_SOURCE : YES
  for (let at = 0; at < length; at++) {
    const verdict = verdicts[kinds[at] as number] as number
    if (verdict >= least || (verdict === IF_SOURCE && marks[at] === 1)) places[count++] = at
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
