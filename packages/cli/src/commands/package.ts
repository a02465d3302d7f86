// `rookery package deb console|bird`: packages of Debian, built from this clone.
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Argument, type Command } from 'commander'
import { VERSION as BIRD_VERSION } from '@rookery/bird/version.ts'
import { VERSION } from '@rookery/console/version.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { KEYS_FILE } from '@rookery/link/release/signature.ts'
import { birdPackage } from '../package/bird-package.ts'
import { findClone } from '../package/clone-files.ts'
import { consolePackage } from '../package/console-package.ts'
import { debOf } from '../package/deb.ts'
import { readReleaseKeys } from '../release/read-keys.ts'

interface Flags {
  readonly out: string
  readonly revision: string
  readonly releaseKeys?: string
}

const KINDS = {
  console: { make: consolePackage, version: VERSION },
  bird: { make: birdPackage, version: BIRD_VERSION },
} as const

export function addPackage(program: Command): void {
  program
    .command('package')
    .description('build packages of this release, in a clone')
    .command('deb')
    .description('build a package of Debian 12 or newer; two builds of the same sources are equal')
    .addArgument(new Argument('<what>', 'what to build').choices(Object.keys(KINDS)))
    .requiredOption('--out <folder>', 'the folder that gets the package')
    .option('--revision <n>', 'the number of the build of this release, which makes a later one newer', '1')
    .option('--release-keys <path>', `${KEYS_FILE} of \`rookery release keygen\`: whose updates a Bird takes`)
    .action(async (what: keyof typeof KINDS, { out, revision, releaseKeys }: Flags) => {
      if (!/^[1-9]\d{0,8}$/.test(revision))
        throw new Fault(
          'bad-input',
          `--revision must be a whole number from 1, not ${JSON.stringify(revision)}.`,
        )
      const { make, version } = KINDS[what]
      if (releaseKeys !== undefined && what !== 'bird')
        throw new Fault(
          'bad-input',
          '--release-keys is for the package of a Bird: the console takes no updates.',
        )
      const keys = readReleaseKeys(releaseKeys)
      const made = await make(findClone(), `${version}-${revision}`, keys)
      const { Package: name, Version, Architecture } = made.control
      const folder = resolve(out)
      mkdirSync(folder, { recursive: true })
      const path = join(folder, `${name}_${Version}_${Architecture}.deb`)
      // Everybody may read a package: apt does so as another user.
      writeFileSync(`${path}.unfinished`, debOf(made))
      chmodSync(`${path}.unfinished`, 0o644)
      renameSync(`${path}.unfinished`, path)
      process.stdout.write(`${path}\n`)
    })
}
