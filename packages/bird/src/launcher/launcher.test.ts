import { spawnSync } from 'node:child_process'
import { appendFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newReleaseKey } from '@rookery/link/release/signature.ts'
import { signedRelease } from '@rookery/link/test/signed-release.ts'
import { temporaryFolder } from '../../test/test-bird.ts'
import { install, testPackage, type TestPackage } from '../../test/test-package.ts'
import { readState, writeState } from './state.ts'

const says = (name: string): string =>
  `process.stdout.write(JSON.stringify({ name: '${name}', pid: process.pid, args: process.argv.slice(2) }))`
const packaged = (version?: string): TestPackage => testPackage(temporaryFolder(), says('package'), version)
const release = signedRelease({ 'rookery-bird.mjs': says('release'), 'skins/a.html': 'a' })

interface Said {
  readonly name: string
  readonly pid: number
  readonly args: readonly string[]
  readonly error: string
}

function launch({ launcher, releases }: TestPackage): Said & { readonly ownPid: number } {
  const { stdout, stderr, pid } = spawnSync(process.execPath, [
    launcher,
    releases,
    'bird',
    '--console',
    'http://c',
  ])
  return { ...(JSON.parse(stdout.toString()) as Said), error: stderr.toString(), ownPid: pid }
}

it('starts the program of the package in its own process, and says where releases lie', () => {
  const own = packaged()
  const { name, pid, ownPid, args } = launch(own)
  expect([name, pid]).toEqual(['package', ownPid])
  expect(args).toEqual([
    'bird',
    '--console',
    'http://c',
    '--releases',
    own.releases,
    '--launcher',
    own.launcher,
  ])
})

it('gives a release three starts, and the one before runs after them', () => {
  const own = packaged()
  install(own, release)
  expect([1, 2, 3, 4, 5].map(() => launch(own).name)).toEqual([
    'release',
    'release',
    'release',
    'package',
    'package',
  ])
  expect(readState(own.releases)).toEqual({
    dropped: { id: release.tag, reason: 'it was started 3 times and never worked' },
  })
})

it('counts no more once the Bird has said that the release is healthy', () => {
  const own = packaged()
  install(own, release)
  launch(own)
  writeState(own.releases, { current: release.tag })
  expect([1, 2, 3, 4].map(() => launch(own).name)).toEqual(Array(4).fill('release'))
})

it.each<[string, (own: TestPackage) => void, RegExp]>([
  [
    'a file that was altered',
    ({ releases }) => appendFileSync(join(releases, release.tag, 'skins/a.html'), ' '),
    /its file skins\/a\.html was altered/,
  ],
  ['a file too few', ({ releases }) => rmSync(join(releases, release.tag, 'skins/a.html')), /ENOENT/],
  [
    'a file too many',
    ({ releases }) => writeFileSync(join(releases, release.tag, 'koffi.js'), ''),
    /the file koffi\.js, which/,
  ],
  [
    'a manifest that was altered',
    ({ releases }) => appendFileSync(join(releases, release.tag, 'manifest.json'), ' '),
    /it was altered/,
  ],
  [
    'a manifest of 10 MB',
    ({ releases }) => writeFileSync(join(releases, release.tag, 'manifest.json'), Buffer.alloc(10_000_000)),
    /10000000 bytes; 65536 are the most/,
  ],
  ['no signature', ({ releases }) => rmSync(join(releases, release.tag, 'manifest.json.sig')), /ENOENT/],
  ['no key of the package', ({ launcher }) => rmSync(join(launcher, '../release-keys.json')), /ENOENT/],
  [
    'a link in the place of a file',
    ({ releases }) => {
      const [path, target] = [join(releases, release.tag, 'skins/a.html'), join(releases, 'a.html')]
      renameSync(path, target)
      symlinkSync(target, path)
    },
    /skins\/a\.html, which its manifest does not name, or which is a link/,
  ],
])('starts no release with %s, on trial or not', (_what, damage, reason) => {
  const trial = packaged()
  install(trial, release)
  damage(trial)
  const { name, error } = launch(trial)
  expect([name, error]).toEqual(['package', expect.stringMatching(reason)])
  expect(readState(trial.releases)).toMatchObject({ dropped: { id: release.tag } })
  writeState(trial.releases, { current: release.tag })
  expect(launch(trial)).toMatchObject({ name: 'package', error: expect.stringMatching(reason) as string })
})

it.each([
  [
    'a foreign key',
    signedRelease({ 'rookery-bird.mjs': says('evil') }, {}, newReleaseKey().privateKey),
    /not trusted here/,
  ],
  [
    'another Node',
    signedRelease({ 'rookery-bird.mjs': says('evil') }, { needs: { node: ['22.0.0'], app_from: '3.0.0' } }),
    /it needs Node 22\.0\.0/,
  ],
])('starts no release of %s', (_what, foreign, reason) => {
  const own = packaged()
  install(own, foreign)
  expect(launch(own)).toMatchObject({ name: 'package', error: expect.stringMatching(reason) as string })
})

it('starts a newer package rather than an older release', () => {
  const own = packaged('3.1.1')
  install(own, release)
  expect(launch(own).name).toBe('package')
})

it('starts what the package brought when its state, or the folder, cannot be used', () => {
  const own = packaged()
  for (const text of ['', '{"current":', '[]', '{"current":"../../etc"}', '{"next":7}', 'null']) {
    writeFileSync(join(own.releases, 'state.json'), text)
    expect(launch(own).name, text).toBe('package')
  }
  rmSync(own.releases, { recursive: true })
  writeFileSync(own.releases, 'a file')
  expect(launch(own)).toMatchObject({
    name: 'package',
    error: expect.stringContaining('cannot be used') as string,
  })
})
