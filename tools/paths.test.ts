// The paths that the pages name lead somewhere: a newcomer follows them.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './clone.mjs'

const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('packages/*/README.md', { cwd: root })]
const FENCES = /^```.*?^```/gms
/** A file by its ending, or a folder by its slash, in small letters; nothing with a placeholder, and no address. */
const PATH = /`((?:[a-z0-9-]+\/)+(?:[a-z0-9.-]+\.(?:ts|mjs|json|md|txt|tsv|sh))?)`/g
/** Kinds of folders, which stand in many places. */
const KINDS = /^(golden|migrations|src\/world)\/$/

/** A page names paths from the root of the repository, from itself, or from its package's source. */
const isThere = (page: string, path: string) =>
  ['', dirname(page), `${dirname(page)}/src`].some((base) => existsSync(join(root, base, path)))

it.each(PAGES)('every path in %s exists', (page) => {
  const text = readFileSync(join(root, page), 'utf8').replace(FENCES, '')
  const paths = [...text.matchAll(PATH)].flatMap(([, path = '']) => (KINDS.test(path) ? [] : [path]))
  expect(paths.filter((path) => !isThere(page, path))).toEqual([])
})

it('a path that is not there is noticed', () => {
  expect(isThere('packages/console/README.md', 'flows/raise/decide.ts')).toBe(true)
  expect(isThere('packages/console/README.md', 'flows/raise/nothing.ts')).toBe(false)
})
