// The files and links that the pages name lead somewhere: a newcomer follows them.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './clone.mjs'

const FOLDERS = ['packages', 'docs', 'tools', 'promises']
const FILES = FOLDERS.flatMap((folder) =>
  globSync(`${folder}/**/*`, { cwd: root, exclude: ['**/node_modules/**'] }).map((path) =>
    path.replaceAll('\\', '/'),
  ),
)
const PAGES = [
  ...globSync('*.md', { cwd: root }),
  ...FILES.filter((path) => path.endsWith('.md') && !/^docs\/reference\/|\/(golden|templates)\//.test(path)),
]
const FENCES = /^```.*?^```/gms
/** A file by its ending, or a folder by its slash, in small letters; nothing with a placeholder, and no address. */
const PATH = /`((?:[a-z0-9_-]+\/)*(?:[a-z0-9_-]+\/|[a-z0-9_.-]+\.(?:ts|mjs|json|md|txt|tsv|sh)))`/g
const LINK = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g
/** What lies on people's machines, or is another product's. */
const ELSEWHERE = [
  'identity.json',
  'index.json',
  'memory.json',
  'release-keys.json',
  'settings.json',
  'service-principal.json',
  'state.json',
]

/** Each file and folder by its ends: `a/b/c.ts`, `b/c.ts` and `c.ts`; a package's source also without `src`. */
const ENDS = new Set(
  [...FOLDERS, ...FILES, ...FILES.map((path) => path.replace('/src/', '/'))].flatMap((path) => {
    const parts = path.split('/')
    return parts.map((_, at) => parts.slice(at).join('/'))
  }),
)

/** A page names paths by their end, as far as it takes to know them, or from itself. */
const isThere = (page: string, path: string) =>
  ENDS.has(path.replace(/\/$/, '')) || ['', dirname(page)].some((base) => existsSync(join(root, base, path)))

it.each(PAGES)('every file and every link in %s exists', (page) => {
  const text = readFileSync(join(root, page), 'utf8').replace(FENCES, '')
  const paths = [...text.matchAll(PATH)].map(([, path = '']) => path)
  expect(paths.filter((path) => !isThere(page, path) && !ELSEWHERE.includes(path))).toEqual([])
  const links = [...text.matchAll(LINK)].flatMap(([, to = '']) => (/^[a-z]+:/.test(to) ? [] : [to]))
  expect(links.filter((to) => !existsSync(join(root, dirname(page), to)))).toEqual([])
})

it('a path that is not there is noticed', () => {
  expect(isThere('packages/console/README.md', 'flows/raise/decide.ts')).toBe(true)
  expect(isThere('packages/console/README.md', 'flows/raise/nothing.ts')).toBe(false)
})
