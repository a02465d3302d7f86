import { expect, test } from 'vitest'
import { loadProof, namesOfProofs } from './proof.ts'
import { packagesFor } from './debian.ts'

const nothingIsThere = (): boolean => false

test.each(namesOfProofs())(
  'every program of the proof %s comes from a package that is known',
  async (name) => {
    const { needs = [], uses = [] } = await loadProof(name)
    const programs = [...needs, ...uses]
    expect(packagesFor(programs, nothingIsThere).length > 0).toBe(programs.length > 0)
  },
)

test('only what is not there is installed, each package once', () => {
  const programs = ['dig', 'svn', 'svnadmin', 'qpdf']
  expect(packagesFor(programs, (program) => program === 'qpdf')).toEqual(['bind9-dnsutils', 'subversion'])
})

test('a program may need more than one package', () => {
  expect(packagesFor(['lighttpd'], nothingIsThere)).toEqual(['lighttpd', 'lighttpd-mod-openssl'])
})

test('a program of no known package is an error that names it', () => {
  expect(() => packagesFor(['no-such-tool'], nothingIsThere)).toThrow(
    'promises/tools/lib/debian.ts names no package of "no-such-tool".',
  )
})
