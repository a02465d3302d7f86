// The modules of a version that hold no data (ISO/IEC 18004, 6.3, 7.9 and 7.10), and the masks over all others.
import { MASK_COUNT, type MaskedModules } from './modules.ts'

/** What all symbols of a version share: their patterns, and their masks where data will be. */
export interface Patterns extends MaskedModules {
  /** Where each bit of data goes: an index of `cells`. */
  readonly places: Uint16Array
}

interface Grid extends MaskedModules {
  /** 1 for modules of patterns. */
  readonly reserved: Uint8Array
}

const ALL_MASKS = 0xff

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

/** Which modules of data each mask flips (table 10). */
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
const known = new Map<number, Patterns>()

export function patternsOf(version: number): Patterns {
  const patterns = known.get(version) ?? drawAll(version)
  known.set(version, patterns)
  return patterns
}

function drawAll(version: number): Patterns {
  const size = 17 + 4 * version
  const grid = { size, cells: new Uint8Array(size * size), reserved: new Uint8Array(size * size) }
  drawTiming(grid)
  drawFinders(grid)
  drawAlignment(grid, version)
  drawVersion(grid, version)
  drawFormats(grid)
  const places = placesOf(grid)
  for (const place of places) grid.cells[place] = flipsAt(place % size, Math.floor(place / size))
  return { size, cells: grid.cells, places }
}

/** Outside the grid it draws nothing. */
function set({ size, cells, reserved }: Grid, x: number, y: number, darkUnder: number): void {
  if (x < 0 || y < 0 || x >= size || y >= size) return
  cells[y * size + x] = darkUnder
  reserved[y * size + x] = 1
}

const underAll = (isDark: boolean): number => (isDark ? ALL_MASKS : 0)

function drawTiming(grid: Grid): void {
  for (let at = 0; at < grid.size; at++) {
    set(grid, 6, at, underAll(at % 2 === 0))
    set(grid, at, 6, underAll(at % 2 === 0))
  }
}

function drawFinders(grid: Grid): void {
  for (const [x, y] of [
    [3, 3],
    [grid.size - 4, 3],
    [3, grid.size - 4],
  ] as const)
    drawRings(grid, x, y, 4, (ring) => ring !== 2 && ring !== 4)
}

function drawAlignment(grid: Grid, version: number): void {
  const others = ALIGNMENT[version - 1] ?? []
  const last = others.at(-1)
  for (const x of [6, ...others])
    for (const y of [6, ...others]) {
      const isFinder = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6)
      if (last !== undefined && !isFinder) drawRings(grid, x, y, 2, (ring) => ring !== 1)
    }
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
      set(grid, x + dx, y + dy, underAll(isDark(Math.max(Math.abs(dx), Math.abs(dy)))))
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
    const darkUnder = underAll(((bits >> bit) & 1) === 1)
    const far = grid.size - 11 + (bit % 3)
    const near = Math.floor(bit / 3)
    set(grid, far, near, darkUnder)
    set(grid, near, far, darkUnder)
  }
}

/** Level M is 00; the mask follows. Twice, around the finders (7.9). */
function drawFormats(grid: Grid): void {
  const formats = Array.from({ length: MASK_COUNT }, (_, mask) => withBch(mask, 0x537, 10) ^ 0x5412)
  const { size } = grid
  for (let bit = 0; bit < 15; bit++) {
    const darkUnder = formats.reduce((all, bits, mask) => all | (((bits >> bit) & 1) << mask), 0)
    // The timing patterns at 6 are stepped over.
    if (bit < 8) {
      set(grid, 8, bit < 6 ? bit : bit + 1, darkUnder)
      set(grid, size - 1 - bit, 8, darkUnder)
    } else {
      set(grid, bit === 8 ? 7 : 14 - bit, 8, darkUnder)
      set(grid, 8, size - 15 + bit, darkUnder)
    }
  }
  set(grid, 8, size - 8, ALL_MASKS)
}

/** Upwards and downwards in columns of two, from the right, around the patterns and the column of timing (7.7.3). */
function placesOf({ size, reserved }: Grid): Uint16Array {
  const places: number[] = []
  for (let pair = 0; pair < (size - 1) / 2; pair++) {
    const right = size - 1 - 2 * pair
    const column = right <= 6 ? right - 1 : right
    for (let step = 0; step < size; step++) {
      const y = pair % 2 === 0 ? size - 1 - step : step
      for (const x of [column, column - 1]) if (!reserved[y * size + x]) places.push(y * size + x)
    }
  }
  return Uint16Array.from(places)
}

const flipsAt = (x: number, y: number): number =>
  MASKS.reduce((all, isFlipped, mask) => all | (Number(isFlipped(x, y)) << mask), 0)
