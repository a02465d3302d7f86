import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './clone.mjs'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const manifest = (path: string) =>
  JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest

/** Every package that the clone asks the registry for, with its version. */
const asked = ['.', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)]
  .map(manifest)
  .flatMap(({ dependencies, devDependencies }) => Object.entries({ ...dependencies, ...devDependencies }))
  .filter(([name]) => !name.startsWith('@rookery/'))

it('every dependency is pinned, and docs/dependencies.md says what it saves us', () => {
  const rows = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
  expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+[\w.-]*$/.test(version))).toEqual([])
  const missing = asked.filter(
    ([name, version]) => !rows.some((row) => row.includes(`\`${name}\``) && row.includes(version)),
  )
  expect(missing).toEqual([])
})
