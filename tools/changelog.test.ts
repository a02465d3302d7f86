import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { foldChangelog } from './changelog.ts'
import { root } from './clone.mjs'

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

#### Decoys

- One

## [0.1.0] - 2026-01-01

### Fixed

- Old
`
const fold = (...texts: string[]) =>
  foldChangelog(
    CHANGELOG,
    texts.map((text) => ({ file: 'changelog/a.md', text })),
    '0.2.0',
    '2026-12-01',
  )

it('puts each line behind those of its kind and area, under the version', () => {
  expect(
    fold('### Fixed\n\n- Three\n', '### Added\n\n#### Decoys\n\n- Two\n  lines\n\n#### Alerts\n\n- Four\n'),
  ).toBe(
    `# Changelog

## [Unreleased]

## [0.2.0] - 2026-12-01

### Added

#### Decoys

- One
- Two
  lines

#### Alerts

- Four

### Fixed

- Three

## [0.1.0] - 2026-01-01

### Fixed

- Old
`,
  )
})

it('names a file that is not so', () => {
  expect(() => fold('- Two\n')).toThrow(
    'changelog/a.md begins with "- Two"; a line such as "### Added" comes first.',
  )
  expect(() => fold('### New\n\n- Two\n')).toThrow(
    'changelog/a.md has the kind "New"; it must be one of Added,',
  )
  expect(() => foldChangelog(CHANGELOG, [], 'v2', '')).toThrow('"v2" is no version')
  expect(() => foldChangelog(CHANGELOG, [], '0.1.0', '')).toThrow('already has 0.1.0')
})

it('takes the files that wait, and loses no line', () => {
  const folder = join(root, 'changelog')
  const fragments = readdirSync(folder)
    .filter((file) => file !== 'README.md')
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const folded = foldChangelog(changelog, fragments, '999.0.0', '2026-12-01').split('\n')
  const lines = [changelog, ...fragments.map(({ text }) => text)].join('\n').split('\n')
  for (const line of lines.filter((it) => it.trim() !== '')) expect(folded).toContain(line)
})
