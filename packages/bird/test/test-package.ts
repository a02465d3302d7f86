// The Bird's package as it is installed: the launcher in one file, the keys that it trusts, and a program.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { KEYS_FILE } from '@rookery/link/release/signature.ts'
import { RELEASE_KEY, type SignedRelease } from '@rookery/link/test/signed-release.ts'
import { writeRelease } from '../src/release/install.ts'
import { ENTRY, writeState } from '../src/launcher/state.ts'

export interface TestPackage {
  readonly launcher: string
  readonly releases: string
}

/** `program` is what the package itself starts. */
export function testPackage(folder: string, program: string, version = '3.0.0'): TestPackage {
  const launcher = join(folder, 'package', 'launcher.mjs')
  buildSync({
    entryPoints: [join(import.meta.dirname, '../src/launcher/launcher.ts')],
    outfile: launcher,
    bundle: true,
    format: 'esm',
    platform: 'node',
  })
  const app = join(folder, 'package', 'app')
  mkdirSync(app)
  writeFileSync(join(app, ENTRY), program)
  writeFileSync(join(app, 'release.json'), JSON.stringify({ version, node: process.versions.node }))
  writeFileSync(join(folder, 'package', KEYS_FILE), JSON.stringify([RELEASE_KEY]))
  const releases = join(folder, 'releases')
  mkdirSync(releases)
  return { launcher, releases }
}

/** As a Bird does once it has judged the release. */
export function install({ releases }: TestPackage, release: SignedRelease): void {
  writeRelease(releases, release.tag, release.files, release)
  writeState(releases, { next: release.tag })
}
