// The filters and the pages of a TAXII collection (TAXII 2.1, 3.4 and 3.5). Objects come by the time when they were added, which is
// when their source last touched something.
import { invalidParameter } from '@rookery/kernel/fault.ts'
import type { SeenSource } from '../../stores/incidents/seen-sources.store.ts'

export interface SourcePage {
  readonly sources: readonly SeenSource[]
  /** For the next page; undefined at the end. */
  readonly next: string | undefined
}

const MOST = 1_000
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** `matches` are the filters besides the time. */
export function pageOf(
  rows: readonly SeenSource[],
  query: URLSearchParams,
  matches: (source: SeenSource) => boolean,
): SourcePage {
  const after = textOf(query, 'added_after')
  if (after !== undefined && !(INSTANT.test(after) && Number.isFinite(Date.parse(after))))
    throw invalidParameter(
      'added_after',
      `must be an instant such as 2026-11-29T10:00:00.000Z, not ${shown(after)}`,
    )
  const limit = Number(textOf(query, 'limit') ?? MOST)
  if (!Number.isInteger(limit) || limit < 1)
    throw invalidParameter(
      'limit',
      `must be a whole number of at least 1, not ${shown(query.get('limit') ?? '')}`,
    )
  const from = positionOf(textOf(query, 'next'))
  const afterMs = after === undefined ? -Infinity : Date.parse(after)
  const found = rows
    .filter((it) => it.last_at > afterMs && (!from || byAdded(it, from) > 0) && matches(it))
    .sort(byAdded)
  const sources = found.slice(0, Math.min(limit, MOST))
  const last = sources.at(-1)
  return {
    sources,
    next: last && found.length > sources.length ? `${last.last_at}_${last.src_host}` : undefined,
  }
}

type Position = Pick<SeenSource, 'last_at' | 'src_host'>

const byAdded = (a: Position, b: Position): number =>
  a.last_at - b.last_at || (a.src_host < b.src_host ? -1 : a.src_host > b.src_host ? 1 : 0)

function positionOf(next: string | undefined): Position | undefined {
  if (next === undefined) return undefined
  const [, at, src_host] = /^(\d{1,15})_([\d.:a-f]+)$/.exec(next) ?? []
  if (at === undefined || src_host === undefined)
    throw invalidParameter('next', `must be that of the page before, not ${shown(next)}`)
  return { last_at: Number(at), src_host }
}

/** One of several separated by commas is enough; without the filter everything matches. */
export function isWanted(
  query: URLSearchParams,
  filter: string,
  value: string,
  ...also: readonly string[]
): boolean {
  const wanted = textOf(query, `match[${filter}]`)
  return wanted === undefined || wanted.split(',').some((it) => it === value || also.includes(it))
}

const textOf = (query: URLSearchParams, name: string): string | undefined => query.get(name) || undefined

const shown = (value: string): string => JSON.stringify(value.slice(0, 60))
