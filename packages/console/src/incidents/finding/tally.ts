// Counts matches by source: ten million of them in a few tens of megabytes, for only the thousand largest are kept.
import { ipv4Text, ipv4Value } from '../../net/ipv4.ts'

export interface Tally {
  addIpv4(value: number): void
  /** A source of the index's list. */
  addListed(sourceId: number): void
  addText(source: string): void
  readonly total: () => number
  /** The largest counts; equal ones by rising address, IPv4 first. */
  largest(
    textsOf: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>,
  ): Promise<[string, number][]>
}

const SHOWN = 1_000
/** Places of the table: 2²¹ of 8 bytes; it takes so many addresses before the rest waits for another round. */
const PLACE_BITS = 21
const MOST_IN_TABLE = 1_500_000

export function openTally(): Tally {
  let total = 0
  let table = openTable(10)
  const waiting = openList()
  const listed = new Map<number, number>()
  const texts = new Map<string, number>()
  const more = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

  function addIpv4(value: number): void {
    total++
    count(value, waiting)
  }

  /** An address that found no place is counted in a later round, with all that follow of it. */
  function count(value: number, rest: List): void {
    if (table.add(value)) return
    if (table.bits < PLACE_BITS) {
      table = grown(table)
      table.add(value)
    } else rest.push(value)
  }

  return {
    addIpv4,
    addListed(sourceId) {
      total++
      more(listed, sourceId)
    },
    addText(source) {
      const value = ipv4Value(source)
      if (value !== undefined) return addIpv4(value)
      total++
      more(texts, source)
    },
    total: () => total,
    async largest(textsOf) {
      const top = openTop()
      for (let round = waiting; ;) {
        table.each((value, n) => top.offer(n, value, ''))
        if (round.length() === 0) break
        table.clear()
        const rest = openList()
        round.each((value) => count(value, rest))
        round = rest
      }
      const names = await textsOf([...listed.keys()])
      for (const [id, n] of listed) {
        const name = names.get(id) ?? ''
        texts.set(name, (texts.get(name) ?? 0) + n)
      }
      for (const [text, n] of texts) top.offer(n, Infinity, text)
      return top.best().map(([n, value, text]) => [value === Infinity ? text : ipv4Text(value), n])
    },
  }
}

interface Table {
  readonly bits: number
  /** False when the address is new and there is no room. */
  add(value: number, n?: number): boolean
  each(visit: (value: number, n: number) => void): void
  clear(): void
}

/** Open addressing over two typed arrays. */
function openTable(bits: number): Table {
  const size = 2 ** bits
  const values = new Uint32Array(size)
  const counts = new Uint32Array(size)
  const room = Math.min(MOST_IN_TABLE, Math.floor(size * 0.7))
  let used = 0
  return {
    bits,
    add(value, n = 1) {
      let at = Math.imul(value, 0x9e3779b1) >>> (32 - bits)
      for (;;) {
        if (counts[at] === 0) {
          if (used >= room) return false
          used++
          values[at] = value
          counts[at] = n
          return true
        }
        if (values[at] === value) {
          counts[at] = (counts[at] as number) + n
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
    clear() {
      counts.fill(0)
      used = 0
    },
  }
}

function grown(table: Table): Table {
  const larger = openTable(Math.min(PLACE_BITS, table.bits + 3))
  table.each((value, n) => larger.add(value, n))
  return larger
}

interface List {
  push(value: number): void
  length(): number
  each(visit: (value: number) => void): void
}

const PIECE = 65_536

function openList(): List {
  const pieces: Uint32Array[] = []
  let length = 0
  return {
    push(value) {
      const at = length % PIECE
      if (at === 0) pieces.push(new Uint32Array(PIECE))
      ;(pieces.at(-1) as Uint32Array)[at] = value
      length++
    },
    length: () => length,
    each(visit) {
      for (let at = 0; at < length; at++) visit(pieces[Math.floor(at / PIECE)]?.[at % PIECE] as number)
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
