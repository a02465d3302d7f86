// Counts matches by source; the thousand largest stay.
import { ipv4Text, ipv4Value } from '../../net/ipv4.ts'
import type { Sources } from '../../stores/incidents/block.ts'
import { openIpv4Counts, type Bound } from './ipv4-counts.ts'

export interface Tally {
  /** Matches of a block, each by the place of its source. */
  addBlock(sources: Sources, origins: Uint16Array): void
  addText(source: string): void
  readonly total: () => number
  /** The largest counts; equal ones by rising address, IPv4 first. */
  largest(
    textsOf: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>,
  ): Promise<[string, number][]>
}

const SHOWN = 1_000
const FEW = 4

export function openTally(): Tally {
  let total = 0
  const ipv4 = openIpv4Counts()
  const listed = new Map<number, number>()
  const texts = new Map<string, number>()
  const more = <K>(counts: Map<K, number>, key: K, n: number): void =>
    void counts.set(key, (counts.get(key) ?? 0) + n)

  return {
    addBlock({ addresses, listed: ids }, origins) {
      total += origins.length
      // A few are added one by one; of many, those of one source together.
      if (origins.length * FEW < addresses.length) {
        for (const origin of origins) {
          if (origin < addresses.length) ipv4.add(addresses[origin] as number, 1)
          else more(listed, ids[origin - addresses.length] as number, 1)
        }
        return
      }
      const counts = new Uint16Array(addresses.length + ids.length)
      for (let at = 0; at < origins.length; at++) counts[origins[at] as number]!++
      ipv4.addRising(addresses, counts)
      for (const [at, id] of ids.entries()) {
        const n = counts[addresses.length + at] as number
        if (n > 0) more(listed, id, n)
      }
    },
    addText(source) {
      total++
      const value = ipv4Value(source)
      if (value === undefined) more(texts, source, 1)
      else ipv4.add(value, 1)
    },
    total: () => total,
    async largest(textsOf) {
      const top = openTop()
      ipv4.each((value, n) => top.offer(n, value, ''), top.bound)
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

type Entry = readonly [n: number, value: number, text: string]

const byRank = (a: Entry, b: Entry): number =>
  b[0] - a[0] || (a[1] === b[1] ? (a[2] < b[2] ? -1 : 1) : a[1] - b[1])

/** Keeps the best entries of very many: a list that is sorted and cut whenever it is full. */
function openTop() {
  let entries: Entry[] = []
  const bound: Bound = { n: 1, address: Infinity }
  const cut = (): void => {
    entries = entries.sort(byRank).slice(0, SHOWN)
    const worst = entries[SHOWN - 1]
    if (worst) [bound.n, bound.address] = worst
  }
  return {
    bound,
    offer(n: number, value: number, text: string): void {
      if (n < bound.n || (n === bound.n && value > bound.address)) return
      entries.push([n, value, text])
      if (entries.length >= 4 * SHOWN) cut()
    },
    best(): Entry[] {
      cut()
      return entries
    },
  }
}
