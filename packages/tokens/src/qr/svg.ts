// A symbol as an SVG that prints at any size.
import { QUIET_ZONE, type Modules } from './modules.ts'

/** One unit a module; a stroke along the middle of each run of dark ones. */
export function svgOf(modules: Modules): string {
  const size = modules.length + 2 * QUIET_ZONE
  const path = modules.map((row, y) => lineOf(row, y + QUIET_ZONE)).join('')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/>`,
    `<path stroke="#000" d="${path}"/>`,
    '</svg>',
  ].join('')
}

function lineOf(row: Uint8Array, y: number): string {
  let line = ''
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue
    const from = x
    while (row[x + 1]) x++
    line += `M${from + QUIET_ZONE} ${y}.5h${x + 1 - from}`
  }
  return line
}
