// Random choices that a seed repeats.
import { createHash } from 'node:crypto'

export interface Draw {
  /** 0 ≤ n < `below`. */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T
  /** Between `least` and `most` items. */
  many<T>(least: number, most: number, make: () => T): T[]
  /** Latin1, one character a byte. */
  bytes(length: number): string
}

/** The same seed draws the same. */
export function drawFrom(seed: string): Draw {
  let block = Buffer.alloc(0)
  let at = 0
  let blocks = 0
  const byte = (): number => {
    if (at >= block.length) {
      block = createHash('sha512').update(`${seed}/${blocks++}`).digest()
      at = 0
    }
    return block[at++]!
  }
  const int = (below: number): number => {
    if (below < 1) throw new RangeError(`int takes a bound of at least 1, not ${below}`)
    return (((byte() * 256 + byte()) * 256 + byte()) * 256 + byte()) % below
  }
  const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)
  return {
    int,
    chance: (probability) => int(1_000_000) < probability * 1_000_000,
    pick: (items) => items[int(items.length)]!,
    many: (least, most, make) => times(least + int(most - least + 1), make),
    bytes: (length) => String.fromCharCode(...times(length, byte)),
  }
}

/** The bytes of such a text. */
export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Cuts a text at random places into segments that are sent apart. */
export function fragment(draw: Draw, text: string): string[] {
  const cuts = draw.many(1, 3, () => draw.int(text.length + 1)).sort((a, b) => a - b)
  const edges = [0, ...cuts, text.length]
  return edges.slice(1).flatMap((end, i) => (end > edges[i]! ? [text.slice(edges[i], end)] : []))
}
