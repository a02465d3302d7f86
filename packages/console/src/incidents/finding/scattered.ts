// Counts of IPv4 addresses that lie far apart: those that come first in a table, four bytes for each count of any other.

/** The table of addresses that come first is small enough for the processor's cache. */
const FIRST_BITS = 16
/** Fuller, an address that is not there is looked for in many places. */
const FULL = 0.4
/** All other addresses are sorted into parts, each of which fits there, too. */
const PART_BITS = 8

export interface Scattered {
  add(address: number, n: number): void
  /** Tells each address once, with its count. */
  each(visit: (address: number, n: number) => void): void
}

export function openScattered(): Scattered {
  let first: Table | undefined
  const parts = new Array<List | undefined>(2 ** PART_BITS)
  return {
    add(address, n) {
      first ??= openTable(FIRST_BITS, FULL)
      // An address that found no place never finds one later: it is counted in its part alone.
      if (first.add(address, n)) return
      const part = (parts[hash(address) >>> (32 - PART_BITS)] ??= openList())
      for (let added = 0; added < n; added++) part.push(address)
    },
    each(visit) {
      first?.each(visit)
      for (const part of parts) {
        if (!part) continue
        const table = openTable(Math.ceil(Math.log2(part.length() + 1)) + 1, 1)
        part.each((address) => void table.add(address, 1))
        table.each(visit)
      }
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

/** Open addressing over two typed arrays; `full` is the share of them that is used. */
function openTable(bits: number, full: number): Table {
  const size = 2 ** bits
  const values = new Uint32Array(size)
  const counts = new Uint32Array(size)
  const room = Math.floor(size * full)
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
