// Counts matches by source: four bytes for each match of a source that is not among the first, and the thousand largest stay.
import { ipv4Text, ipv4Value } from '../../net/ipv4.ts'
import type { Sources } from '../../stores/incidents/block.ts'

export interface Tally {
  /** The rows of a block that stand at these places. */
  addBlock(sources: Sources, origins: Uint16Array, places: Uint16Array): void
  addText(source: string): void
  readonly total: () => number
  /** The largest counts; equal ones by rising address, IPv4 first. */
  largest(
    textsOf: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>,
  ): Promise<[string, number][]>
}

const SHOWN = 1_000
/** The table of sources that come first is small enough for the processor's cache. */
const FIRST_BITS = 16
/** All other addresses are sorted into parts, each of which fits there, too. */
const PART_BITS = 6

const FEW = 4

export function openTally(): Tally {
  let total = 0
  const first = openTable(FIRST_BITS)
  const parts = Array.from({ length: 2 ** PART_BITS }, openList)
  const listed = new Map<number, number>()
  const texts = new Map<string, number>()
  const more = <K>(counts: Map<K, number>, key: K, n: number): void =>
    void counts.set(key, (counts.get(key) ?? 0) + n)

  function addIpv4(value: number, n: number): void {
    // An address that found no place never finds one later: it is counted in its part alone.
    if (first.add(value, n)) return
    const part = parts[hash(value) >>> (32 - PART_BITS)]
    for (let added = 0; added < n; added++) part?.push(value)
  }

  return {
    addBlock(sources, origins, places) {
      total += places.length
      const { addresses, listed: ids } = sources
      const add = (origin: number, n: number): void => {
        if (origin < addresses.length) addIpv4(addresses[origin] as number, n)
        else more(listed, ids[origin - addresses.length] as number, n)
      }
      // A few are added one by one; of many, those of one source together.
      if (places.length * FEW < addresses.length) {
        for (let at = 0; at < places.length; at++) add(origins[places[at] as number] as number, 1)
        return
      }
      const counts = new Uint16Array(addresses.length + ids.length)
      for (let at = 0; at < places.length; at++) counts[origins[places[at] as number] as number]!++
      for (let origin = 0; origin < counts.length; origin++) {
        if (counts[origin] !== 0) add(origin, counts[origin] as number)
      }
    },
    addText(source) {
      total++
      const value = ipv4Value(source)
      if (value === undefined) more(texts, source, 1)
      else addIpv4(value, 1)
    },
    total: () => total,
    async largest(textsOf) {
      const top = openTop()
      const offer = (value: number, n: number): void => top.offer(n, value, '')
      first.each(offer)
      for (const part of parts) {
        if (part.length() === 0) continue
        const table = openTable(Math.ceil(Math.log2(part.length() + 1)) + 1)
        part.each((value) => void table.add(value, 1))
        table.each(offer)
      }
      const names = await textsOf([...listed.keys()])
      for (const [id, n] of listed) {
        const name = names.get(id) ?? ''
        more(texts, name, n)
      }
      for (const [text, n] of texts) top.offer(n, Infinity, text)
      return top.best().map(([n, value, text]) => [value === Infinity ? text : ipv4Text(value), n])
    },
  }
}

/** Knuth's multiplicative hash; the upper bits are the good ones. */
const hash = (value: number): number => Math.imul(value, 0x9e3779b1) >>> 0

interface Table {
  /** False when the address is new and there is no room. */
  add(value: number, n: number): boolean
  each(visit: (value: number, n: number) => void): void
}

/** Open addressing over two typed arrays. */
function openTable(bits: number): Table {
  const size = 2 ** bits
  const values = new Uint32Array(size)
  const counts = new Uint32Array(size)
  const room = Math.floor(size * 0.7)
  let used = 0
  return {
    add(value, more) {
      // Past the bits that chose the part, which are equal within one.
      let at = (hash(value) >>> 8) & (size - 1)
      for (;;) {
        const n = counts[at] as number
        if (n === 0) {
          if (used >= room) return false
          used++
          values[at] = value
          counts[at] = more
          return true
        }
        if (values[at] === value) {
          counts[at] = n + more
          return true
        }
        at = (at + 1) & (size - 1)
      }
    },
    each(visit) {
      for (let at = 0; at < size; at++) {
        const n = counts[at] as number
        if (n > 0) visit(values[at] as number, n)
      }
    },
  }
}

interface List {
  push(value: number): void
  length(): number
  each(visit: (value: number) => void): void
}

const PIECE = 16_384

function openList(): List {
  const pieces: Uint32Array[] = []
  let last = new Uint32Array(0)
  let length = 0
  return {
    push(value) {
      const at = length++ % PIECE
      if (at === 0) pieces.push((last = new Uint32Array(PIECE)))
      last[at] = value
    },
    length: () => length,
    each(visit) {
      for (const [at, piece] of pieces.entries()) {
        const end = Math.min(PIECE, length - at * PIECE)
        for (let n = 0; n < end; n++) visit(piece[n] as number)
      }
    },
  }
}

type Entry = readonly [n: number, value: number, text: string]

const byRank = (a: Entry, b: Entry): number =>
  b[0] - a[0] || (a[1] === b[1] ? (a[2] < b[2] ? -1 : 1) : a[1] - b[1])

/** Keeps the best entries of very many: a list that is sorted and cut whenever it is full. */
function openTop() {
  let entries: Entry[] = []
  let worst: Entry | undefined
  const cut = (): void => {
    entries = entries.sort(byRank).slice(0, SHOWN)
    worst = entries.length === SHOWN ? entries.at(-1) : undefined
  }
  return {
    offer(n: number, value: number, text: string): void {
      if (worst && (n < worst[0] || (n === worst[0] && value > worst[1]))) return
      entries.push([n, value, text])
      if (entries.length >= 4 * SHOWN) cut()
    },
    best(): Entry[] {
      cut()
      return entries
    },
  }
}
