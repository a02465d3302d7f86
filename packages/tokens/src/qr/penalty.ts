// How badly a mask reads (ISO/IEC 18004, 7.8.3): the lowest score wins.
import type { Modules } from './modules.ts'

/** Eleven modules like those of a finder with the light ones on one side of it. */
const [FINDER_THEN_LIGHT, LIGHT_THEN_FINDER] = [0b10111010000, 0b00001011101]
const ELEVEN = 0b11111111111

export function penalty(rows: Modules): number {
  const size = rows.length
  const column = new Uint8Array(size)
  let score = 0
  let dark = 0
  for (let at = 0; at < size; at++) {
    const row = rows[at]!
    score += penaltyOfLine(row) + blocksBetween(row, rows[at + 1])
    for (let along = 0; along < size; along++) {
      column[along] = rows[along]![at]!
      dark += row[along]!
    }
    score += penaltyOfLine(column)
  }
  return score + 10 * Math.floor(Math.abs((100 * dark) / (size * size) - 50) / 5)
}

/** Squares of two by two in one colour. */
function blocksBetween(row: Uint8Array, below: Uint8Array | undefined): number {
  if (!below) return 0
  let score = 0
  for (let x = 1; x < row.length; x++) {
    const module = row[x]!
    if (module === row[x - 1] && module === below[x] && module === below[x - 1]) score += 3
  }
  return score
}

/** Runs of five and more, and what looks like a finder. */
function penaltyOfLine(line: Uint8Array): number {
  let score = 0
  let run = 0
  let last = -1
  let eleven = 0
  for (let along = 0; along < line.length; along++) {
    const module = line[along]!
    run = module === last ? run + 1 : 1
    last = module
    if (run === 5) score += 3
    else if (run > 5) score += 1
    eleven = ((eleven << 1) | module) & ELEVEN
    if (along >= 10 && (eleven === FINDER_THEN_LIGHT || eleven === LIGHT_THEN_FINDER)) score += 40
  }
  return score
}
