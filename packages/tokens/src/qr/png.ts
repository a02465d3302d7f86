// A symbol as a PNG of one bit a pixel.
import { pngFile } from '../png.ts'
import { QUIET_ZONE, type Modules } from './modules.ts'

const PIXELS_PER_MODULE = 8

export function pngOf(modules: Modules): Buffer {
  const size = (modules.length + 2 * QUIET_ZONE) * PIXELS_PER_MODULE
  return pngFile({ size, bitDepth: 1, lines: scanlines(modules, size) })
}

/** Each line has a filter byte in front: 0, none. A set bit is white, and a module is one byte wide. */
function scanlines(modules: Modules, size: number): Buffer {
  const bytesPerLine = 1 + size / 8
  const image = Buffer.alloc(size * bytesPerLine, 0xff)
  for (let y = 0; y < size; y++) {
    const line = y * bytesPerLine
    image[line] = 0
    const row = modules[Math.floor(y / PIXELS_PER_MODULE) - QUIET_ZONE]
    row?.forEach((isDark, x) => {
      if (isDark) image[line + 1 + QUIET_ZONE + x] = 0
    })
  }
  return image
}
