// How badly a mask reads (ISO/IEC 18004, 7.8.3): the lowest score wins.

type Rows = readonly (readonly boolean[])[]

/** Eleven modules like those of a finder with the light ones on one side of it. */
const FINDER_LIKE: readonly number[] = [0b10111010000, 0b00001011101]
const ELEVEN = 0b11111111111

export function penalty(rows: Rows): number {
  const size = rows.length
  let score = 0
  let dark = 0
  for (let at = 0; at < size; at++) {
    score += penaltyOfLine(size, (along) => rows[at]?.[along] === true)
    score += penaltyOfLine(size, (along) => rows[along]?.[at] === true)
  }
  for (const [y, row] of rows.entries()) {
    const below = rows[y + 1]
    for (let x = 0; x < size; x++) {
      if (row[x]) dark++
      if (below && x + 1 < size && row[x] === row[x + 1] && row[x] === below[x] && row[x] === below[x + 1])
        score += 3
    }
  }
  return score + 10 * Math.floor(Math.abs((100 * dark) / (size * size) - 50) / 5)
}

/** Runs of five and more, and what looks like a finder. */
function penaltyOfLine(size: number, isDark: (along: number) => boolean): number {
  let score = 0
  let run = 0
  let last = 0
  let eleven = 0
  for (let along = 0; along < size; along++) {
    const bit = isDark(along) ? 1 : 0
    run = bit === last && along > 0 ? run + 1 : 1
    last = bit
    if (run === 5) score += 3
    else if (run > 5) score += 1
    eleven = ((eleven << 1) | bit) & ELEVEN
    if (along >= 10 && FINDER_LIKE.includes(eleven)) score += 40
  }
  return score
}
