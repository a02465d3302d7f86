// Icons of apps: a white sign on a coloured square, as PNG of 16 tones.
import { pngFile } from '../../png.ts'
import { ARTWORKS, type Artwork, type IconName, type Shape } from './artworks.ts'

/** Edges in pixels, as browsers want them. */
export const ICON_SIZES = [180, 192, 512] as const

const drawn = new Map<string, Buffer>()

/** The icon, drawn once: there are as many as names and sizes. */
export function iconOf(name: IconName, size: (typeof ICON_SIZES)[number]): Buffer {
  const key = `${name} ${size}`
  const known = drawn.get(key)
  if (known) return known
  const png = pngOf(ARTWORKS[name], size)
  drawn.set(key, png)
  return png
}

/** Points of a pixel that are looked at, in each direction. */
const SAMPLES = 4
const TONES = 16
const PIXELS_PER_BYTE = 2

function pngOf({ colour, sign }: Artwork, size: number): Buffer {
  const palette = Array.from({ length: TONES }, (_, tone) =>
    colour.map((it) => Math.round(it + ((255 - it) * tone) / (TONES - 1))),
  ).flat()
  const bytesPerLine = 1 + size / PIXELS_PER_BYTE
  const lines = Buffer.alloc(size * bytesPerLine)
  const corners = cornersOf(sign, size)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const at = y * bytesPerLine + 1 + Math.floor(x / PIXELS_PER_BYTE)
      const first = y * (size + 1) + x
      const inside =
        (corners[first] ?? 0) +
        (corners[first + 1] ?? 0) +
        (corners[first + size + 1] ?? 0) +
        (corners[first + size + 2] ?? 0)
      // Most pixels lie inside the sign or outside of it: only at its edge are more points looked at.
      const tone = inside === 0 ? 0 : inside === 4 ? TONES - 1 : toneOf(sign, x, y, size)
      lines[at] = (lines[at] ?? 0) | (tone << (x % PIXELS_PER_BYTE === 0 ? 4 : 0))
    }
  return pngFile({ size, bitDepth: 4, palette: Buffer.from(palette), lines })
}

/** 1 for each corner of a pixel inside the sign, line by line. */
function cornersOf(sign: Shape, size: number): Uint8Array {
  const corners = new Uint8Array((size + 1) ** 2)
  for (let y = 0; y <= size; y++)
    for (let x = 0; x <= size; x++) corners[y * (size + 1) + x] = sign(x / size, y / size) ? 1 : 0
  return corners
}

function toneOf(sign: Shape, x: number, y: number, size: number): number {
  let inside = 0
  for (let n = 0; n < SAMPLES * SAMPLES; n++) {
    const [right, down] = [((n % SAMPLES) + 0.5) / SAMPLES, (Math.floor(n / SAMPLES) + 0.5) / SAMPLES]
    if (sign((x + right) / size, (y + down) / size)) inside++
  }
  return Math.min(TONES - 1, inside)
}
