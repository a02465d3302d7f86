// Stack traces of the bundle with the places of the sources. The maps are read only after a failure:
// `--enable-source-maps` would hold them in memory all the time, and they are larger than the console itself.
import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const FRAME = /(file:\/\/[^\s():]+\.mjs):(\d+):(\d+)/g
const maps = new Map<string, SourceMap | undefined>()

/** The stack with places of the sources instead of the bundle's; places without a map stay as they are. */
export const sourceStack = (stack: string): string =>
  stack.replace(FRAME, (whole, url: string, line: string, column: string) => {
    const bundle = fileURLToPath(url)
    const found = mapOf(bundle)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!found || !('originalSource' in found)) return whole
    const source = relative(process.cwd(), resolve(dirname(bundle), found.originalSource))
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })

function mapOf(bundle: string): SourceMap | undefined {
  if (!maps.has(bundle)) maps.set(bundle, readMap(`${bundle}.map`))
  return maps.get(bundle)
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload)
  } catch {
    return undefined
  }
}
