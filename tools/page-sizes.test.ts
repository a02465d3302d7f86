// What a browser loads, as brotli: a page that opens at 3 a.m. over a phone's network stays small.
import { readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildPage, isPageFresh } from './build-page.mjs'
import { root } from './clone.mjs'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
  readonly assets?: readonly string[]
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
}

const folder = join(root, '.build/web')
const KB = 1024

/** As it is sent: what brotli makes larger, such as fonts, is sent as it lies. */
function sizeOf(file: string): number {
  const path = join(folder, file)
  const sent = statSync(`${path}.br`, { throwIfNoEntry: false })?.size
  return sent ?? Math.min(statSync(path).size, brotliCompressSync(readFileSync(path)).length)
}

const sum = (files: Iterable<string>): number => [...files].reduce((all, file) => all + sizeOf(file), 0)

describe('the page', () => {
  let manifest: Readonly<Record<string, Chunk>> = {}
  beforeAll(async () => {
    if (!isPageFresh(root)) await buildPage(root)
    manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as typeof manifest
  })

  /** A chunk with all that it loads at once. */
  function loadedBy(name: string, found = new Set<string>()): Set<string> {
    const chunk = manifest[name]
    if (!chunk || found.has(chunk.file)) return found
    for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file)
    for (const other of chunk.imports ?? []) loadedBy(other, found)
    return found
  }
  const named = (pattern: RegExp): string => Object.keys(manifest).find((name) => pattern.test(name)) ?? ''
  const fonts = (): string[] =>
    Object.values(manifest).flatMap(({ file }) =>
      /geist(-mono)?-latin-wght-normal.*\.woff2$/.test(file) ? [file] : [],
    )

  it('first load of the inbox, both fonts included, takes at most 270 KB', () => {
    const files = new Set([
      ...loadedBy(named(/index\.html$/)),
      ...loadedBy(named(/incidents\/inbox\.tsx$/)),
      ...fonts(),
    ])
    expect(fonts()).toHaveLength(2)
    const size = sum(files)
    console.log(`first load of the inbox: ${(size / KB).toFixed(1)} KB`)
    expect(size).toBeLessThanOrEqual(270 * KB)
  })

  it('styles take at most 20 KB, a route with what it alone needs at most 45 KB, all scripts at most 450 KB', () => {
    const files = [...new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]))]
    const ofKind = (kind: string) => sum(files.filter((file) => extname(file) === kind))
    expect(ofKind('.css')).toBeLessThanOrEqual(20 * KB)
    expect(ofKind('.js')).toBeLessThanOrEqual(450 * KB)
    const first = loadedBy(named(/index\.html$/))
    const routes = Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry)
    expect(routes.length).toBeGreaterThan(3)
    for (const route of routes) {
      const own = sum([...loadedBy(route)].filter((file) => !first.has(file)))
      expect(own, route).toBeLessThanOrEqual(45 * KB)
    }
  })
})
