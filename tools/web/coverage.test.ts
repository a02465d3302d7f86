import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { groups } from '@rookery/contract/groups.gen.ts'
import { root } from '../clone.mjs'
import { callsOf } from './calls.ts'
import { COVERAGE, coveragePage, readCoverage } from './coverage.ts'
import { readSources } from './declarations.ts'
import { readRoutes } from './routes.ts'

const covered = readCoverage(root)
const names = (some: typeof covered) => some.map(({ group, operation }) => `${group}.${operation}`)

describe('docs/ui/coverage.md', () => {
  it('is what the generator makes: run `npm run generate`', () => {
    expect(readFileSync(join(root, COVERAGE), 'utf8')).toBe(coveragePage(root))
  })

  it('names a page or one reason for every operation (tools/web/no-page.data.ts)', () => {
    expect(names(covered.filter(({ pages, reasons }) => pages.length === 0 && reasons.length !== 1))).toEqual(
      [],
    )
  })

  it('gives no reason where there is a page: remove it from tools/web/no-page.data.ts', () => {
    expect(names(covered.filter(({ pages, reasons }) => pages.length > 0 && reasons.length > 0))).toEqual([])
  })

  it('finds a page of the frame, of a folder, of a part that several pages share, and of a stream', () => {
    const pagesOf = (name: string) => covered[names(covered).indexOf(name)]?.pages
    expect(pagesOf('sessions.end')).toEqual(['every page'])
    expect(pagesOf('live.stream')).toEqual(['every page'])
    expect(pagesOf('users.invite')).toEqual(['/people'])
    expect(pagesOf('configuration.configureMany')).toEqual(['/birds', '/flocks/$id'])
    expect(pagesOf('incidentActions.removeMany')).toContain('/incidents')
  })
})

it('every address of the page is known, also those of routes that one function makes', () => {
  const addresses = readRoutes(root).flatMap((it) => it.addresses)
  expect(addresses).toEqual(
    expect.arrayContaining(['/', '/incidents', '/keys', '/tokens/$id/$tab', '/sign-in']),
  )
  expect(new Set(addresses).size).toBe(addresses.length)
})

describe('a call is found', () => {
  const operationsOf = (text: string) => {
    const { declarations } = readSources({ 'features/x/page.tsx': text })
    return declarations.flatMap((it) =>
      callsOf(groups, it, declarations).map(({ group, operation }) => `${group}.${operation}`),
    )
  }

  it.each([
    ["export const a = () => call('users', 'list')\n", ['users.list']],
    [
      "export const a = () =>\n  call(\n    'users',\n    on ? 'enable' : 'disable',\n  )\n",
      ['users.enable', 'users.disable'],
    ],
    ["const CALLS = { a: 'enable' } as const\nconst b = () => call('users', CALLS[a])\n", ['users.enable']],
    [
      "const SAID = {\n  enable: 1,\n}\nconst b = (it: keyof typeof SAID) => call('users', it)\n",
      ['users.enable'],
    ],
    ["const b = (name: 'enable' | 'disable') => call('users', name)\n", ['users.enable', 'users.disable']],
    ["// call('users', 'list')\nconst b = useWhyNot('users', 'remove')\n", []],
    ["const b = () => fetch('/api/v1/live')\n", ['live.stream']],
  ])('%j', (text, found) => {
    expect(operationsOf(text)).toEqual(found)
  })

  it('or refused, where its operation cannot be read', () => {
    expect(() => operationsOf("const a = (it) => call('users', it)\n")).toThrow(
      "packages/web/src/features/x/page.tsx: call('users', it) does not say its operation.",
    )
  })
})
