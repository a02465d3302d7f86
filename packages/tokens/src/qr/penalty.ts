// How badly a mask reads (ISO/IEC 18004, 7.8.3): the lowest score wins.

type Rows = readonly (readonly boolean[])[]

const FINDER_LIKE = /(?=10111010000|00001011101)/g

export function penalty(rows: Rows): number {
  const size = rows.length
  const across = rows.map(textOf)
  const down = rows.map((_, x) => textOf(rows.map((row) => row[x] ?? false)))
  let score = 0
  for (const line of [...across, ...down]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) score += run.length - 2
    score += 40 * [...line.matchAll(FINDER_LIKE)].length
  }
  for (let y = 0; y + 1 < size; y++)
    for (let x = 0; x + 1 < size; x++) {
      const square = `${across[y]?.slice(x, x + 2)}${across[y + 1]?.slice(x, x + 2)}`
      if (square === '0000' || square === '1111') score += 3
    }
  const dark = across.join('').replaceAll('0', '').length
  return score + 10 * Math.floor(Math.abs((100 * dark) / (size * size) - 50) / 5)
}

const textOf = (line: readonly boolean[]): string => line.map((isDark) => (isDark ? '1' : '0')).join('')
