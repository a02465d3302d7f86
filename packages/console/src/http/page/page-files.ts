// The files of the page, as tools/build-page.mjs made them, in memory: a console goes on serving the page that it came with.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { byWord } from '@rookery/kernel/by-word.ts'

export interface PageFile {
  readonly type: string
  readonly bytes: Buffer
  /** The same, compressed by Brotli; undefined where that is no smaller. */
  readonly brotli: Buffer | undefined
  /** Its name has a hash of its content. */
  readonly isImmutable: boolean
}

export interface PageFiles {
  readonly index: PageFile
  /** Path, such as `/assets/index-1a2b3c.js`, to file. */
  readonly byPath: ReadonlyMap<string, PageFile>
}

const TYPES = byWord<string>({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
})

/** Next to the bundle; for tests and tools, which run from the sources, at the root of the clone. */
export const PAGE_FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.mjs') ? './web/' : '../../../../../.build/web/', import.meta.url),
)

/** Reads the folder of the page; undefined where none was built. */
export function readPageFiles(folder: string): PageFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((it) =>
    it.replaceAll('\\', '/'),
  )
  const byPath = new Map<string, PageFile>()
  for (const path of paths) {
    const type = TYPES[extname(path)]
    if (type === undefined) continue
    const brotli = join(folder, `${path}.br`)
    byPath.set(`/${path}`, {
      type,
      bytes: readFileSync(join(folder, path)),
      brotli: existsSync(brotli) ? readFileSync(brotli) : undefined,
      isImmutable: path.startsWith('assets/'),
    })
  }
  const index = byPath.get('/index.html')
  byPath.delete('/index.html')
  return index && { index, byPath }
}
