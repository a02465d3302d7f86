// Only its owner may read what Rookery writes, whatever the umask of the shell and the modes of a copy are.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDataFolder } from '@rookery/console/data-folder.ts'
import { repairModes } from '@rookery/console/file-modes.ts'
import { newFolder, rookery, serve, servedFolder } from './run-rookery.ts'

const OPEN_UMASK = ['sh', '-c', 'umask 0; exec "$@"', 'sh']

/** The folder and everything in it that its group or others may use, with its mode. */
function exposedIn(folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))
  return [folder, ...inside]
    .map((path) => `${(statSync(path).mode & 0o777).toString(8)} ${path}`)
    .filter((line) => !/^.00 /.test(line))
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())

it('under the umask 0, no file of a data directory or a backup is open to others', async () => {
  const dataDir = join(newFolder(), 'new')
  const console = await serve(dataDir, { ROOKERY_BOOTSTRAP_KEY: '' }, OPEN_UMASK)
  expect(readdirSync(dataDir)).toEqual(
    expect.arrayContaining([
      'admin.key',
      'lock',
      'master.key',
      'rookery.db',
      'rookery.db-shm',
      'rookery.db-wal',
      'tokens-ca.pem',
    ]),
  )
  expect(exposedIn(dataDir)).toEqual([])
  const target = join(newFolder(), 'backup')
  const made = await rookery(['backup', target, '--with-key'], { ROOKERY_DATA_DIR: dataDir }, OPEN_UMASK)
  expect([made.code, exposedIn(target)]).toEqual([0, []])
  await console.stop()
})

it('a start repairs the modes of the data directory, its keys and its database, and logs each', async () => {
  const dataDir = newFolder()
  await (await serve(dataDir, { ROOKERY_BOOTSTRAP_KEY: '' })).stop('SIGKILL')
  const names = [
    '',
    'admin.key',
    'master.key',
    'tokens-ca.pem',
    'rookery.db',
    'rookery.db-shm',
    'rookery.db-wal',
  ]
  const paths = names.map((name) => join(dataDir, name).replace(/\/$/, ''))
  for (const path of paths) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644)
  const doctor = await rookery(['doctor'], { ROOKERY_DATA_DIR: dataDir })
  for (const path of paths.slice(0, 5))
    expect(doctor.stdout).toMatch(new RegExp(`WRONG files +${path} has mode`))
  for (const path of paths)
    if (existsSync(path)) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644)
  const console = await serve(dataDir)
  expect(exposedIn(dataDir)).toEqual([])
  const { stderr } = await console.stop()
  for (const path of paths.slice(0, 5)) expect(stderr).toContain(path)
  expect(stderr).toContain('others could read this file; its mode is repaired')
})

it.skipIf(!existsSync('/proc/self/status'))('a file whose mode cannot be changed is refused by name', () => {
  const folder = openDataFolder(newFolder())
  // Even root may not change a mode below /proc.
  expect(() => repairModes({ ...folder, masterKey: '/proc/self/status' }, () => undefined)).toThrow(
    /^\/proc\/self\/status has mode 444: others may read it, and it cannot be changed: .* must run chmod 400\.$/,
  )
})

it("a backup holds the local Bird's private key only `--with-key`", async () => {
  const dataDir = newFolder()
  const env = { ROOKERY_DATA_DIR: dataDir }
  await (await serve(dataDir)).stop()
  mkdirSync(join(dataDir, 'bird'))
  for (const name of ['identity.json', 'memory.json']) writeFileSync(join(dataDir, 'bird', name), '{}')
  const without = join(newFolder(), 'backup')
  expect((await rookery(['backup', without], env)).stdout).toContain(
    "The local Bird's private key is left out, too: after a restore, `rookery up` enrols it anew, as another Bird.\n",
  )
  expect(readdirSync(join(without, 'bird'))).toEqual(['memory.json'])
  const withKey = join(newFolder(), 'backup')
  expect((await rookery(['backup', withKey, '--with-key'], env)).stdout).not.toContain('anew')
  expect(readdirSync(join(withKey, 'bird'))).toEqual(['identity.json', 'memory.json'])
})

it('`restore` closes a backup that others could read, says so, and what that means for its master key', async () => {
  const dataDir = await servedFolder()
  const env = { ROOKERY_DATA_DIR: dataDir }
  mkdirSync(join(dataDir, 'bird'))
  writeFileSync(join(dataDir, 'bird', 'identity.json'), '{}')
  for (const [args, withKey] of [
    [['--with-key'], true],
    [[], false],
  ] as const) {
    const backup = join(newFolder(), 'backup')
    await rookery(['backup', backup, ...args], env)
    const key = readFileSync(join(dataDir, 'master.key'), 'utf8').trim()
    const opened = [backup, join(backup, 'bird'), ...filesIn(backup)]
    for (const path of opened) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o640)
    // A link in it is no file of the backup.
    const outside = join(newFolder(), 'outside')
    writeFileSync(outside, '', { mode: 0o644 })
    symlinkSync(outside, join(backup, 'link'))
    const elsewhere = newFolder()
    const restoring = { ROOKERY_DATA_DIR: elsewhere, ...(!withKey && { ROOKERY_MASTER_KEY: key }) }
    const { code, stderr } = await rookery(['restore', backup], restoring)
    expect(exposedIn(backup)).toEqual([`644 ${join(backup, 'link')}`])
    expect([code, exposedIn(elsewhere)]).toEqual([0, []])
    for (const path of opened)
      expect(stderr).toMatch(
        new RegExp(`^${path} had mode (755|640): others could read it. It is [67]00 now.$`, 'm'),
      )
    expect(stderr.includes('The backup holds the master key.')).toBe(withKey)
    expect(stderr.trimEnd().split('\n')).toHaveLength(opened.length + (withKey ? 1 : 0))
    // The next one of the same backup finds nothing to say.
    const again = await rookery(['restore', backup], { ...restoring, ROOKERY_DATA_DIR: newFolder() })
    expect([again.code, again.stderr]).toEqual([0, ''])
  }
})
