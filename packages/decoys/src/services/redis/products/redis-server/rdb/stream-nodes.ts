// How Redis spreads a stream over listpacks: each begins with a master entry, whose fields later entries need not repeat.
//
//   valid, deleted, fields, name …, 0                       the master entry
//   flags, ms, sequence [, fields] [, name], value …, elements    each entry; ids relative to the node's
import { compareIds, type Stream, type StreamEntry, type StreamId } from '../values/stream.ts'
import { BadFormat, big } from './byte-reader.ts'
import { elementSize, EMPTY_LISTPACK_BYTES, listpack } from './listpack.ts'
import { isIntegerText } from './text.ts'

const DELETED = 1
const SAME_FIELDS = 2
/** Where `stream-node-max-bytes` is 0. */
const MAX_BYTES = 1024 ** 3

export interface StreamNode {
  /** In the order of their ids, deleted ones too. */
  readonly entries: readonly StreamEntry[]
  readonly deleted: ReadonlySet<StreamEntry>
}

/** Without nodes all of whose entries are deleted. */
export function streamNodes({ entries, deleted }: Stream, config: ReadonlyMap<string, string>): StreamNode[] {
  const all = deleted.length === 0 ? entries : [...entries, ...deleted].sort((a, b) => compareIds(a.id, b.id))
  const gone = new Set(deleted)
  return chunks(all, config)
    .filter((node) => node.some((entry) => !gone.has(entry)))
    .map((node) => ({ entries: node, deleted: gone }))
}

/** Deleted entries that are kept, besides as many as the stream has. */
const FEW_DELETED = 256

/** Entries of a node with others stay in it, marked. */
export function deleteEntries(
  stream: Stream,
  config: ReadonlyMap<string, string>,
  gone: ReadonlySet<StreamEntry>,
): void {
  if (gone.size === 0) return
  stream.entries = stream.entries.filter((entry) => !gone.has(entry))
  stream.deleted.push(...gone)
  if (stream.deleted.length <= stream.entries.length + FEW_DELETED) return
  stream.deleted = streamNodes(stream, config).flatMap(({ entries, deleted }) =>
    entries.filter((entry) => deleted.has(entry)),
  )
}

function chunks(all: readonly StreamEntry[], config: ReadonlyMap<string, string>): StreamEntry[][] {
  const mostBytes = Number(config.get('stream-node-max-bytes')) || MAX_BYTES
  const mostEntries = Number(config.get('stream-node-max-entries')) || Infinity
  const found: StreamEntry[][] = []
  let bytes = 0
  for (const entry of all) {
    const node = found.at(-1)
    const length = entry.fields.reduce((sum, text) => sum + text.length, 0)
    if (node && bytes + length < mostBytes && node.length < mostEntries) node.push(entry)
    else {
      found.push([entry])
      bytes = EMPTY_LISTPACK_BYTES + sizeOf(masterElements(entry, 1, 0))
    }
    bytes += sizeOf(entryElements(entry, found.at(-1)![0]!, 0))
  }
  return found
}

const sizeOf = (elements: readonly string[]): number =>
  elements.reduce((sum, element) => sum + elementSize(element), 0)

export function nodeListpack({ entries, deleted }: StreamNode): string {
  const master = entries[0]!
  const gone = entries.filter((entry) => deleted.has(entry)).length
  return listpack([
    ...masterElements(master, entries.length - gone, gone),
    ...entries.flatMap((entry) => entryElements(entry, master, deleted.has(entry) ? DELETED : 0)),
  ])
}

/** How many nodes the radix tree of their keys has, which joins what keys have in common (rax.c). */
export const treeSize = (nodes: readonly StreamNode[]): number =>
  subtreeSize(
    nodes.map(({ entries: [first] }) => idBytes(first!.id)),
    0,
  )

/** `keys`: sorted, and alike before `depth`. */
function subtreeSize(keys: readonly string[], depth: number): number {
  const [first = '', last = first] = [keys[0], keys.at(-1)]
  if (depth === first.length) return 1
  let fork = depth
  while (fork < first.length && first[fork] === last[fork]) fork += 1
  if (fork > depth) return 1 + subtreeSize(keys, fork)
  const branches = Map.groupBy(keys, (key) => key[depth])
  return [...branches.values()].reduce((sum, branch) => sum + subtreeSize(branch, depth + 1), 1)
}

/** The id as the key of a node. */
export const idBytes = ([ms, sequence]: StreamId): string => big(ms, 8) + big(sequence, 8)

const namesOf = ({ fields }: StreamEntry): string[] => fields.filter((_, at) => at % 2 === 0)
const valuesOf = ({ fields }: StreamEntry): string[] => fields.filter((_, at) => at % 2 === 1)

function masterElements(master: StreamEntry, valid: number, deleted: number): string[] {
  const names = namesOf(master)
  return [String(valid), String(deleted), String(names.length), ...names, '0']
}

function entryElements(entry: StreamEntry, master: StreamEntry, flag: number): string[] {
  const [names, masterNames] = [namesOf(entry), namesOf(master)]
  const isSame = names.length === masterNames.length && names.every((name, at) => name === masterNames[at])
  const content = isSame ? valuesOf(entry) : [String(names.length), ...entry.fields]
  return [
    String(flag | (isSame ? SAME_FIELDS : 0)),
    String(BigInt.asIntN(64, entry.id[0] - master.id[0])),
    String(BigInt.asIntN(64, entry.id[1] - master.id[1])),
    ...content,
    String(content.length + 3),
  ]
}

/** The entries of a node, and which of them are deleted; throws `BadFormat`. */
export function readNode(
  [ms, sequence]: StreamId,
  elements: readonly string[],
): { readonly entries: StreamEntry[]; readonly deleted: StreamEntry[] } {
  let at = 0
  const next = (): string => {
    const element = elements[at++]
    if (element === undefined) throw new BadFormat('a node of a stream ends within an entry')
    return element
  }
  const number = (): bigint => {
    const element = next()
    if (!isIntegerText(element)) throw new BadFormat('an element of a stream is no number')
    return BigInt(element)
  }
  const many = (count: bigint): string[] => Array.from({ length: bounded(count, elements.length) }, next)
  const [valid, gone] = [number(), number()]
  const names = many(number())
  if (number() !== 0n) throw new BadFormat('a master entry does not end')
  const found = { entries: [] as StreamEntry[], deleted: [] as StreamEntry[] }
  while (at < elements.length) {
    const flags = Number(number())
    const id: StreamId = [BigInt.asUintN(64, ms + number()), BigInt.asUintN(64, sequence + number())]
    const fields =
      flags & SAME_FIELDS
        ? many(BigInt(names.length)).flatMap((value, i) => [names[i]!, value])
        : many(2n * number())
    number()
    ;(flags & DELETED ? found.deleted : found.entries).push({ id, fields })
  }
  if (BigInt(found.entries.length) !== valid || BigInt(found.deleted.length) !== gone)
    throw new BadFormat('a node of a stream has another number of entries')
  return found
}

function bounded(count: bigint, most: number): number {
  if (count < 0n || count > BigInt(most)) throw new BadFormat(`${count} fields are more than there are`)
  return Number(count)
}
