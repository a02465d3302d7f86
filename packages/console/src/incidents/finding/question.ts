// What a filter asks of blocks: decided for kinds and states before any block is read.
import type { EngineName, Query, Scope } from '../../db/query.ts'
import { ACKNOWLEDGED, DELETED, type BlockHead } from '../../stores/incidents/block.ts'
import type { IncidentFilter } from '../../stores/incidents/filter.store.ts'
import { IF_SOURCE, kindVerdicts, NO, YES } from '../../stores/incidents/index.store.ts'
import type { State } from './match.ts'
import { sourceTest, type SourceTest } from './source-test.ts'

export interface Question {
  /** On each kind, by its number. */
  readonly verdicts: Uint8Array
  /** Where all kinds are judged alike, nobody needs to know which is which. */
  readonly isOneVerdict: boolean
  /** The kinds that match whatever their source is, by rising number. */
  readonly sure: Uint32Array
  /** Whether there are kinds that match whenever their source has the text, and whether there are others that never match. */
  readonly areSomeOpen: boolean
  readonly areSomeOut: boolean
  readonly sources: SourceTest
  readonly state: State
  /** Strictly between, milliseconds. */
  readonly after: number
  readonly before: number
}

/** Undefined when no incident in a block can match. */
export async function questionOf(
  query: Query,
  engine: EngineName,
  scope: Scope,
  filter: IncidentFilter,
): Promise<Question | undefined> {
  const { withDeleted, acknowledged, createdAfter = -Infinity, createdBefore = Infinity } = filter
  const [sources, verdicts] = await Promise.all([
    sourceTest(query, engine, filter),
    kindVerdicts(query, engine, scope, filter),
  ])
  if (!sources) return undefined
  if (!sources.canHaveText)
    for (const [kind, verdict] of verdicts.entries()) if (verdict === IF_SOURCE) verdicts[kind] = NO
  // Kinds are numbered from 1.
  const ofKinds = verdicts.subarray(1)
  const [areSomeOut, areSomeOpen, areSomeSure] = [NO, IF_SOURCE, YES].map((it) => ofKinds.includes(it))
  if (!areSomeOpen && !areSomeSure) return undefined
  return {
    verdicts,
    isOneVerdict: ofKinds.every((verdict) => verdict === ofKinds[0]),
    sure: Uint32Array.from(verdicts.keys()).filter((kind) => verdicts[kind] === YES),
    areSomeOpen: areSomeOpen === true,
    areSomeOut: areSomeOut === true,
    sources,
    state: {
      mask: (withDeleted ? 0 : DELETED) | (acknowledged === undefined ? 0 : ACKNOWLEDGED),
      is: acknowledged === 1 ? ACKNOWLEDGED : 0,
    },
    after: createdAfter,
    before: createdBefore,
  }
}

/** How many of a block's incidents may be in the state that is asked for: none, all, or some, of which its states tell. */
export function inState(
  { n, acknowledged, deleted }: BlockHead,
  { mask, is }: State,
): 'none' | 'some' | 'all' {
  const others = [
    (mask & DELETED) === 0 ? 0 : deleted,
    (mask & ACKNOWLEDGED) === 0 ? 0 : is === ACKNOWLEDGED ? n - acknowledged : acknowledged,
  ]
  if (others.includes(n)) return 'none'
  return others.every((it) => it === 0) ? 'all' : 'some'
}

/** Whether its head leaves it open that some of a block matches. */
export const mayMatch = (head: BlockHead, { state, after, before }: Question): boolean =>
  head.newest_at > after && head.oldest_at < before && inState(head, state) !== 'none'
