// A QR code as rows of dark and light modules (ISO/IEC 18004, 6.3, 7.7 to 7.10).
import { encodeBytes } from './codewords.ts'
import type { Modules } from './modules.ts'
import { penalty } from './penalty.ts'

interface Grid {
  readonly size: number
  readonly rows: Modules
  /** 1 for modules of patterns, which hold no data. */
  readonly reserved: Modules
}

/** What all symbols of a version share. */
interface Blank {
  readonly grid: Grid
  /** Of each mask, 1 for modules of data that it flips. */
  readonly flips: readonly Modules[]
}

/** Centres of alignment patterns besides 6, by version (annex E). */
const ALIGNMENT: readonly (readonly number[])[] = [
  [],
  [18],
  [22],
  [26],
  [30],
  [34],
  [22, 38],
  [24, 42],
  [26, 46],
  [28, 50],
]

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** By version, of which there are ten. */
const blanks = new Map<number, Blank>()

/** The symbol of a text in UTF-8, with the mask that reads best; a `RangeError` when the text is too long. */
export function qrSymbol(text: string): Modules {
  const { version, codewords } = encodeBytes(Buffer.from(text))
  const { grid, flips } = blankOf(version)
  const drawn = grid.rows.map((row) => row.slice())
  drawData({ ...grid, rows: drawn }, codewords)
  const masked = flips.map((flip, mask) => {
    const rows = drawn.map((row, y) => flipped(row, flip[y]!))
    drawFormat({ ...grid, rows }, mask)
    return { rows, score: penalty(rows) }
  })
  return masked.reduce((best, next) => (next.score < best.score ? next : best)).rows
}

function flipped(row: Uint8Array, flip: Uint8Array): Uint8Array {
  const result = new Uint8Array(row.length)
  for (let x = 0; x < row.length; x++) result[x] = row[x]! ^ flip[x]!
  return result
}

function blankOf(version: number): Blank {
  const known = blanks.get(version)
  if (known) return known
  const grid = emptyGrid(17 + 4 * version)
  drawPatterns(grid, version)
  drawFormat(grid, 0)
  const flips = MASKS.map((isFlipped) =>
    grid.reserved.map((row, y) => row.map((isReserved, x) => Number(!isReserved && isFlipped(x, y)))),
  )
  const blank = { grid, flips }
  blanks.set(version, blank)
  return blank
}

function emptyGrid(size: number): Grid {
  const rows = (): Uint8Array[] => Array.from({ length: size }, () => new Uint8Array(size))
  return { size, rows: rows(), reserved: rows() }
}

/** Outside the grid it draws nothing. */
function set({ rows, reserved }: Grid, x: number, y: number, isDark: boolean): void {
  const row = rows[y]
  const fixed = reserved[y]
  if (row?.[x] === undefined || !fixed) return
  row[x] = Number(isDark)
  fixed[x] = 1
}

function drawPatterns(grid: Grid, version: number): void {
  const { size } = grid
  for (let at = 0; at < size; at++) {
    set(grid, 6, at, at % 2 === 0)
    set(grid, at, 6, at % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    drawRings(grid, x, y, 4, (ring) => ring !== 2 && ring !== 4)
  const others = ALIGNMENT[version - 1] ?? []
  const last = others.at(-1)
  for (const x of [6, ...others])
    for (const y of [6, ...others]) {
      const isFinder = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6)
      if (last !== undefined && !isFinder) drawRings(grid, x, y, 2, (ring) => ring !== 1)
    }
  drawVersion(grid, version)
}

function drawRings(
  grid: Grid,
  x: number,
  y: number,
  radius: number,
  isDark: (ring: number) => boolean,
): void {
  for (let dy = -radius; dy <= radius; dy++)
    for (let dx = -radius; dx <= radius; dx++)
      set(grid, x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
}

/** The remainder of a BCH code appended to the value. */
function withBch(value: number, generator: number, degree: number): number {
  let rest = value << degree
  for (let bit = 31 - Math.clz32(rest); bit >= degree; bit--)
    if ((rest >> bit) & 1) rest ^= generator << (bit - degree)
  return (value << degree) | rest
}

/** From version 7 on, twice: below the upper right and right of the lower left finder (7.10). */
function drawVersion(grid: Grid, version: number): void {
  if (version < 7) return
  const bits = withBch(version, 0x1f25, 12)
  for (let bit = 0; bit < 18; bit++) {
    const isDark = ((bits >> bit) & 1) === 1
    const far = grid.size - 11 + (bit % 3)
    const near = Math.floor(bit / 3)
    set(grid, far, near, isDark)
    set(grid, near, far, isDark)
  }
}

/** Level M is 00; the mask follows. Twice, around the finders (7.9). */
function drawFormat(grid: Grid, mask: number): void {
  const bits = withBch(mask, 0x537, 10) ^ 0x5412
  const { size } = grid
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((bits >> bit) & 1) === 1
    // The timing patterns at 6 are stepped over.
    if (bit < 8) {
      set(grid, 8, bit < 6 ? bit : bit + 1, isDark)
      set(grid, size - 1 - bit, 8, isDark)
    } else {
      set(grid, bit === 8 ? 7 : 14 - bit, 8, isDark)
      set(grid, 8, size - 15 + bit, isDark)
    }
  }
  set(grid, 8, size - 8, true)
}

/** Upwards and downwards in columns of two, from the right, around the patterns and the column of timing (7.7.3). */
function drawData({ size, rows, reserved }: Grid, codewords: readonly number[]): void {
  let bit = 0
  for (let pair = 0; pair < (size - 1) / 2; pair++) {
    const right = size - 1 - 2 * pair
    const column = right <= 6 ? right - 1 : right
    for (let step = 0; step < size; step++) {
      const y = pair % 2 === 0 ? size - 1 - step : step
      for (const x of [column, column - 1]) {
        const row = rows[y]
        if (!row || reserved[y]?.[x]) continue
        row[x] = ((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1
        bit++
      }
    }
  }
}
