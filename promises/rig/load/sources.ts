// Numbered sources as IPv4 addresses of one length, so that a request built once can be written over:
// the net 110.0.0.0/8 and up, every octet with three digits, 3.8 million to each first octet.

const WIDTH = 156
const FIRST = 100

export const SOURCE_BYTES = 15

/** The address of a source's number, 0 … 417 million. */
export function sourceText(number: number): string {
  const [d, c, b, a] = [0, 1, 2, 3].map((at) => Math.floor(number / WIDTH ** at) % WIDTH)
  return `${(a ?? 0) + 110}.${(b ?? 0) + FIRST}.${(c ?? 0) + FIRST}.${(d ?? 0) + FIRST}`
}

/** The number behind an address of `sourceText`. */
export function sourceNumber(address: string): number {
  const [a, b, c, d] = address.split('.').map(Number)
  if (a === undefined || b === undefined || c === undefined || d === undefined || a < 110)
    throw new Error(`${address} is no source of a load.`)
  return ((a - 110) * WIDTH + (b - FIRST)) * WIDTH ** 2 + (c - FIRST) * WIDTH + (d - FIRST)
}
