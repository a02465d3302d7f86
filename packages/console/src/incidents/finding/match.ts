// Which incidents of a block match. Kinds and sources are judged once each; rows are looked at where both leave it open.
import type { KindList } from '../../stores/incidents/block.ts'

/** What a search says of a source; a row matches where this and the verdict on its kind exceed `TOGETHER`. */
export const OTHER = 0
/** It may be the source that is meant: the kind must have the text. */
export const MEANT = 1
/** It has the text itself. */
export const HAS_TEXT = 2
const TOGETHER = 2

/** On each source of a block, by its place. */
export interface Levels {
  readonly of: Uint8Array
  readonly least: number
  readonly most: number
}

/** Where no source decides anything. */
export const ALL_MEANT: Levels = { of: new Uint8Array(), least: MEANT, most: MEANT }
/** Where the source that is meant is not. */
export const ALL_OTHER: Levels = { of: new Uint8Array(), least: OTHER, most: OTHER }

export interface State {
  readonly mask: number
  readonly is: number
}

interface Rows {
  readonly list: KindList
  /** Undefined where all are in the state that is asked for. */
  readonly states: Uint8Array | undefined
}

/** Writes the places of the rows of some kinds, given by their places in the list; answers how many there are. */
export function rowsOf(
  { list: { ends }, states }: Rows,
  kinds: readonly number[],
  { mask, is }: State,
  places: Uint16Array,
): number {
  let count = 0
  for (const kind of kinds) {
    const end = ends[kind] as number
    for (let at = kind === 0 ? 0 : (ends[kind - 1] as number); at < end; at++) {
      if (states === undefined || ((states[at] as number) & mask) === is) places[count++] = at
    }
  }
  return count
}

/** The same of all kinds, where sources decide: some nanoseconds an incident. */
export function rowsBySource(
  { list: { ids, ends }, states, origins }: Rows & { readonly origins: Uint16Array },
  verdicts: Uint8Array,
  { of }: Levels,
  { mask, is }: State,
  places: Uint16Array,
): number {
  let count = 0
  let at = 0
  for (let kind = 0; kind < ids.length; kind++) {
    const verdict = verdicts[ids[kind] as number] as number
    const end = ends[kind] as number
    for (; at < end; at++) {
      if (verdict + (of[origins[at] as number] as number) <= TOGETHER) continue
      if (states === undefined || ((states[at] as number) & mask) === is) places[count++] = at
    }
  }
  return count
}

/** Where the numbers that rise stand among others that rise; those that are not there are left out. */
export function placesOf(some: Uint32Array, among: Uint32Array): number[] {
  const places: number[] = []
  let from = 0
  for (const wanted of some) {
    let below = among.length
    while (from < below) {
      const middle = (from + below) >>> 1
      if ((among[middle] as number) < wanted) from = middle + 1
      else below = middle
    }
    if (among[from] === wanted) places.push(from++)
  }
  return places
}

/** The places of the times that lie between. */
export const within = (times: Float64Array, after: number, before: number): Uint16Array =>
  Uint16Array.from(times.keys()).filter((at) => {
    const time = times[at] as number
    return time > after && time < before
  })
