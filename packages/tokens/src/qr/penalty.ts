// How badly a symbol reads under each mask (ISO/IEC 18004, 7.8.3): the lowest score wins.
import { MASK_COUNT, type MaskedModules } from './modules.ts'

/** Points for each run of five alike, for each module beyond, for each square of two by two, and for what looks like a finder. */
const [RUN, LONGER, SQUARE, FINDER] = [3, 1, 3, 40]

/**
 * One score a mask. What is found at a module is found of all masks in one step, as a byte with a bit a mask; points are added
 * up for each such byte, and only these 256 sums are taken apart by mask.
 */
export function penalties({ size, cells }: MaskedModules): number[] {
  const points = new Uint32Array(256)
  const dark = new Uint32Array(256)
  for (let line = 0; line < size; line++) {
    scoreLine(points, cells.subarray(line * size, (line + 1) * size))
    const column = new Uint8Array(size)
    for (let y = 0; y < size; y++) column[y] = cells[y * size + line]!
    scoreLine(points, column)
  }
  scoreSquares(points, size, cells)
  for (const cell of cells) dark[cell]!++
  return Array.from({ length: MASK_COUNT }, (_, mask) => {
    const share = (100 * sumOf(dark, mask)) / cells.length
    return sumOf(points, mask) + 10 * Math.floor(Math.abs(share - 50) / 5)
  })
}

function sumOf(sums: Uint32Array, mask: number): number {
  let sum = 0
  for (let masks = 0; masks < sums.length; masks++) if ((masks >> mask) & 1) sum += sums[masks]!
  return sum
}

/** Runs of five and more, and what looks like a finder. */
function scoreLine(points: Uint32Array, line: Uint8Array): void {
  let previous = ~line[0]!
  let [alike2, alike3, alike4, alike5] = [0, 0, 0, 0]
  for (let at = 0; at < line.length; at++) {
    const module = line[at]!
    const alike = ~(module ^ previous) & 0xff
    previous = module
    const run = alike & alike4
    points[run & ~alike5]! += RUN
    points[run & alike5]! += LONGER
    alike5 = run
    alike4 = alike & alike3
    alike3 = alike & alike2
    alike2 = alike
    if (module) scoreFinder(points, line, at)
  }
}

/** Dark, light, three dark, light, dark up to this module, with four light ones before or after: those of the quiet zone do not count. */
function scoreFinder(points: Uint32Array, line: Uint8Array, at: number): void {
  if (at < 6) return
  const dark = line[at]! & line[at - 2]! & line[at - 3]! & line[at - 4]! & line[at - 6]!
  const finder = dark & ~line[at - 1]! & ~line[at - 5]!
  if (!finder) return
  const [first, last] = [at - 10, at + 4]
  if (first >= 0)
    points[finder & ~(line[first]! | line[first + 1]! | line[first + 2]! | line[first + 3]!)]! += FINDER
  if (last < line.length)
    points[finder & ~(line[last]! | line[last - 1]! | line[last - 2]! | line[last - 3]!)]! += FINDER
}

/** Squares of two by two in one colour. */
function scoreSquares(points: Uint32Array, size: number, cells: Uint8Array): void {
  for (let below = size; below < cells.length; below += size)
    for (let at = below + 1; at < below + size; at++) {
      const module = cells[at]!
      const differs =
        (module ^ cells[at - 1]!) | (module ^ cells[at - size]!) | (module ^ cells[at - size - 1]!)
      points[~differs & 0xff]! += SQUARE
    }
}
