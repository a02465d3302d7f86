// What is left of some blocks after each look: at heads, kinds, sources, rows. Only what is left is read on.
import { asKindList, asSources, asU16, type BlockHead, type KindList } from '../../stores/incidents/block.ts'
import { IF_SOURCE, YES } from '../../stores/incidents/index.store.ts'
import type { Columns } from './columns.ts'
import {
  ALL_MEANT,
  ALL_OTHER,
  HAS_TEXT,
  MEANT,
  placesOf,
  rowsBySource,
  rowsOf,
  type Levels,
} from './match.ts'
import { inState, type Question } from './question.ts'

export interface Matched {
  readonly head: BlockHead
  readonly places: Uint16Array
}

/** Reads of these blocks what `sift` looks at first. */
export async function readFirst(
  { isOneVerdict, areSomeOpen, areSomeOut, sources }: Question,
  columns: Columns,
  heads: readonly BlockHead[],
): Promise<void> {
  const needsSources = sources.isExact || (areSomeOpen && !areSomeOut)
  const sourced = needsSources ? heads.filter(({ networks }) => sources.canBeIn(networks)) : []
  await columns.read(
    ['list', isOneVerdict ? [] : heads.map(({ block }) => block)],
    ['sources', sourced.map(({ block }) => block)],
  )
}

/** The blocks that have matches, times left aside; what comes first of them was read. */
export async function sift(
  question: Question,
  columns: Columns,
  heads: readonly BlockHead[],
): Promise<Matched[]> {
  const candidates = await bySource(question, columns, byKind(question, columns, heads))
  const mixed = candidates.filter(({ head }) => inState(head, question.state) === 'some')
  await columns.read(
    ['states', blocksOf(mixed)],
    ['origins', blocksOf(candidates.filter(({ levels }) => decides(levels)))],
  )
  return candidates
    .map((candidate) => ({ head: candidate.head, places: matchesOf(question, columns, candidate) }))
    .filter(({ places }) => places.length > 0)
}

export const blocksOf = (some: readonly { readonly head: BlockHead }[]): number[] =>
  some.map(({ head }) => head.block)

interface WithKinds {
  readonly head: BlockHead
  readonly list: KindList
  /** The places of kinds that match whatever their source is. */
  readonly sure: readonly number[]
  /** Whether there are kinds that match where their source has the text. */
  readonly isOpen: boolean
}

interface Candidate extends WithKinds {
  readonly levels: Levels
}

function byKind(question: Question, columns: Columns, heads: readonly BlockHead[]): WithKinds[] {
  const { isOneVerdict, verdicts, areSomeOpen, areSomeOut } = question
  return heads
    .map((head): WithKinds => {
      const list = isOneVerdict
        ? { ids: ANY_KIND, ends: Uint16Array.of(head.n) }
        : asKindList(columns.cell('list', head.block))
      const sure = sureOf(question, list)
      const isOpen =
        areSomeOpen &&
        (areSomeOut ? list.ids.some((id) => verdicts[id] === IF_SOURCE) : sure.length < list.ids.length)
      return { head, list, sure, isOpen }
    })
    .filter(({ sure, isOpen }) => isOpen || sure.length > 0)
}

const ANY_KIND = Uint32Array.of(1)

/** Below this share of a block's kinds, each is looked up faster than all are asked. */
const FEW = 1 / 8

function sureOf({ sure, verdicts }: Question, { ids }: KindList): number[] {
  if (sure.length < FEW * ids.length) return placesOf(sure, ids)
  const places: number[] = []
  for (let place = 0; place < ids.length; place++)
    if (verdicts[ids[place] as number] === YES) places.push(place)
  return places
}

async function bySource(
  { sources }: Question,
  columns: Columns,
  found: readonly WithKinds[],
): Promise<Candidate[]> {
  const nowhere = sources.isExact ? ALL_OTHER : ALL_MEANT
  const asks = ({ head, isOpen }: WithKinds): boolean =>
    (isOpen || sources.isExact) && sources.canBeIn(head.networks)
  const asking = new Set(found.filter(asks))
  await columns.read(['sources', blocksOf([...asking])])
  return found
    .map((it) => ({
      ...it,
      levels: asking.has(it) ? sources.levels(asSources(columns.cell('sources', it.head.block))) : nowhere,
    }))
    .filter(({ sure, levels }) => levels.most >= (sure.length > 0 ? MEANT : HAS_TEXT))
}

const decides = ({ least, most }: Levels): boolean => least !== most

/** Of the largest block. */
const room = new Uint16Array(2 ** 16)

function matchesOf({ verdicts, state }: Question, columns: Columns, candidate: Candidate): Uint16Array {
  const { head, list, sure, levels } = candidate
  const states = inState(head, state) === 'all' ? undefined : columns.cell('states', head.block)
  const origins = asU16(columns.cell('origins', head.block))
  const count = decides(levels)
    ? rowsBySource({ list, origins, states }, verdicts, levels, state, room)
    : rowsOf({ list, states }, sure, state, room)
  return room.slice(0, count)
}
