// `rookery release`: makes releases of the Bird's software, signs them, and hands them to the console (docs/updates.md).
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { VERSION } from '@rookery/bird/version.ts'
import { addRelease } from '@rookery/console/flows/releases/add.ts'
import { removeRelease } from '@rookery/console/flows/releases/remove.ts'
import { listReleases } from '@rookery/console/stores/releases/store.ts'
import { systemClock } from '@rookery/console/world/system.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { packFiles, hashesOf, sha256, unpackFiles } from '@rookery/link/release/archive.ts'
import {
  MAX_ARCHIVE_BYTES,
  parseManifest,
  PRODUCT,
  type ReleaseManifest,
} from '@rookery/link/release/manifest.ts'
import {
  KEYS_FILE,
  MAX_KEYS,
  MAX_MANIFEST_BYTES,
  MAX_SIGNATURE_BYTES,
  newReleaseKey,
  parseKeys,
  signManifest,
  signatureProblem,
} from '@rookery/link/release/signature.ts'
import { addOptions, configOf } from '../flags.ts'
import { findClone } from '../package/clone-files.ts'
import { bundleBird, RELEASE_FILE } from '../release/bundle-bird.ts'
import { readReleaseKeys } from '../release/read-keys.ts'
import { keepPrivate, keepPublic } from '../release/write.ts'
import { runOffline } from './offline.ts'

type Flags = Readonly<Record<string, string | undefined>>

const PRIVATE_KEY = 'release-key.pem'
const DAY_MS = 86_400_000
const ARCHIVE = /\.tar\.zst$/

export function addReleaseCommand(program: Command): void {
  const release = program.command('release').description("releases of the Bird's software")
  release
    .command('keygen')
    .description(`make a key: ${PRIVATE_KEY}, and its public half in ${KEYS_FILE}`)
    .option(
      '--output <folder>',
      `folder; a ${KEYS_FILE} that is there gets one key more, of ${MAX_KEYS} at most`,
      '.',
    )
    .action((flags: Flags) => makeKey(flags['output']!))
  release
    .command('build')
    .description('pack the Bird of this clone')
    .option('--version <version>', 'version of the release', VERSION)
    .option('--sources <folder>', 'clone of Rookery; by default that of this command')
    .option('--output <folder>', 'where the archive is written', '.')
    .action((flags: Flags) => build(flags))
  release
    .command('sign')
    .description('write manifest and signature of an archive next to it')
    .argument('<archive>', 'file that `rookery release build` wrote')
    .requiredOption('--key <path>', `private key, such as ${PRIVATE_KEY}`)
    .requiredOption('--seq <number>', 'number of the release, above that of every one before')
    .option('--days <number>', 'days until it expires', '180')
    .option('--sensors <list>', 'kinds of Birds that it is for', 'linux-x64,linux-arm64')
    .option('--node <list>', 'versions of Node that it runs on; by default the one that it was built with')
    .option('--app-from <version>', 'oldest installed version that may be updated', '3.0.0')
    .action(signArchive)
  addOptions(
    release
      .command('add')
      .description('hand a signed archive to the console')
      .argument('<archive>', 'file with its manifest and signature next to it')
      .option('--release-keys <path>', `${KEYS_FILE} of the Birds: refuse what they would refuse`)
      .option('--description <text>', 'what is new', ''),
    ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL', 'ROOKERY_MASTER_KEY', 'ROOKERY_FILES_BYTES'],
  ).action(add)
  addOptions(
    release
      .command('remove')
      .description('remove a release from the console; Birds that have it run it on')
      .argument('<tag>', 'its tag, as `rookery release list` prints it'),
    ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL', 'ROOKERY_MASTER_KEY'],
  ).action(remove)
  addOptions(release.command('list').description('list the releases of the console'), [
    'ROOKERY_DATA_DIR',
    'ROOKERY_DATABASE_URL',
    'ROOKERY_MASTER_KEY',
  ]).action(list)
}

async function remove(tag: string, flags: Flags): Promise<void> {
  await runOffline(configOf(flags), (base) => removeRelease(base, tag))
}

function makeKey(folder: string): void {
  const path = join(folder, KEYS_FILE)
  const known = statSync(path, { throwIfNoEntry: false })
    ? named(path, () => parseKeys(read(path, MAX_MANIFEST_BYTES).toString()))
    : []
  if (known.length >= MAX_KEYS)
    throw new Fault(
      'conflict',
      `${path} has ${known.length} keys; ${MAX_KEYS} are the most. Remove one that signs no more.`,
    )
  const { privateKey, key } = newReleaseKey()
  keepPrivate(join(folder, PRIVATE_KEY), privateKey)
  keepPublic(path, `${JSON.stringify([...known, key], null, 2)}\n`)
  process.stdout.write(`${key.id}\n`)
}

async function build({ version = '', sources = findClone(), output = '.' }: Flags): Promise<void> {
  if (!/^\d{1,6}(\.\d{1,6}){2}$/.test(version))
    throw new Fault(
      'bad-input',
      `--version is ${JSON.stringify(version)}; it must be three numbers, such as 3.1.0.`,
    )
  const path = join(output, `${PRODUCT}-${version}.tar.zst`)
  keepPublic(path, packFiles(await bundleBird(sources, version)))
  process.stdout.write(`${path}\n`)
}

function signArchive(archive: string, flags: Flags): void {
  const bytes = read(archive, MAX_ARCHIVE_BYTES)
  const files = named(archive, () => unpackFiles(bytes))
  const about = JSON.parse(files.get(RELEASE_FILE)?.toString() ?? '{}') as { version?: string; node?: string }
  const expiresAt = new Date(systemClock.now() + wholeNumber('--days', flags['days']) * DAY_MS)
  const manifest: ReleaseManifest = {
    format: 1,
    product: PRODUCT,
    layer: 'app',
    version: about.version ?? '',
    seq: wholeNumber('--seq', flags['seq']),
    expires: expiresAt.toISOString().replace(/\.\d+/, ''),
    sensors: (flags['sensors'] ?? '').split(','),
    needs: { node: (flags['node'] ?? about.node ?? '').split(','), app_from: flags['appFrom'] ?? '' },
    archive: { size: bytes.length, sha256: sha256(bytes) },
    files: hashesOf(files),
  }
  const text = Buffer.from(`${JSON.stringify(manifest)}\n`)
  named(archive, () => parseManifest(text))
  const key = flags['key'] ?? ''
  const signature = named(key, () => signManifest(text, read(key, MAX_MANIFEST_BYTES).toString()))
  const { manifestPath, signaturePath } = besides(archive)
  keepPublic(manifestPath, text)
  keepPublic(signaturePath, signature)
  process.stdout.write(`${manifestPath}\n${signaturePath}\n`)
}

async function add(archive: string, flags: Flags): Promise<void> {
  const { manifestPath, signaturePath } = besides(archive)
  const manifest = read(manifestPath, MAX_MANIFEST_BYTES)
  const signature = read(signaturePath, MAX_SIGNATURE_BYTES).toString('latin1')
  const bytes = read(archive, MAX_ARCHIVE_BYTES)
  const path = flags['releaseKeys']
  const problem =
    path === undefined ? undefined : signatureProblem(manifest, signature, readReleaseKeys(path))
  if (problem !== undefined) throw new Fault('bad-input', `The release is not added: ${problem}.`)
  const config = configOf(flags)
  const row = await runOffline(config, (base) =>
    addRelease(base, Number(config.ROOKERY_FILES_BYTES), {
      manifest,
      signature,
      archive: bytes,
      description: flags['description'] ?? '',
    }),
  )
  process.stdout.write(`${row.tag}\n`)
}

async function list(flags: Flags): Promise<void> {
  const rows = await runOffline(configOf(flags), ({ reader }) => listReleases(reader))
  for (const { tag, version, seq, ignored } of rows)
    process.stdout.write(
      `${tag}  ${version.padEnd(10)} ${String(seq).padStart(6)}${ignored ? '  ignored' : ''}\n`,
    )
}

/** Manifest and signature of an archive. */
function besides(archive: string): { manifestPath: string; signaturePath: string } {
  if (!ARCHIVE.test(archive))
    throw new Fault('bad-input', `The archive is ${JSON.stringify(archive)}; its name must end in .tar.zst.`)
  const manifestPath = archive.replace(ARCHIVE, '.manifest.json')
  return { manifestPath, signaturePath: `${manifestPath}.sig` }
}

function read(path: string, most: number): Buffer {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) throw new Fault('bad-input', `${path} does not exist.`)
  if (size > most) throw new Fault('bad-input', `${path} has ${size} bytes; ${most} are the most.`)
  return readFileSync(path)
}

function wholeNumber(flag: string, text = ''): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new Fault('bad-input', `${flag} is ${JSON.stringify(text)}; it must be a whole number from 1 on.`)
}

/** What an Error says is wrong, with the file that it is about. */
function named<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Fault('bad-input', `${path} cannot be used: ${(error as Error).message}.`, { cause: error })
  }
}
