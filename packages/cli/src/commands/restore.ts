// `rookery restore <folder>`: fills an empty data directory from a backup. No console may be serving from it.
import { chmodSync, copyFileSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Config } from '@rookery/console/config/config.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { restoreDatabase } from '@rookery/console/maintenance/backup.ts'
import { openDataFolder } from '@rookery/console/data-folder.ts'
import { fillReserve } from '@rookery/console/db/reserve.ts'
import { takeLock } from '@rookery/console/db/lock.ts'
import { exposedBelow, repairMode, repairModes, type ExposedFile } from '@rookery/console/file-modes.ts'
import { addOptions, configOf } from '../flags.ts'
import { runOffline } from './offline.ts'

export function addRestore(program: Command): void {
  const command = program
    .command('restore')
    .description('fill an empty data directory (or database) from a backup')
    .argument('<folder>', 'a folder that `rookery backup` made')
  addOptions(command, ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL', 'ROOKERY_MASTER_KEY']).action(
    async (source: string, flags: Record<string, unknown>) => {
      const config = configOf(flags)
      const folder = openDataFolder(config.ROOKERY_DATA_DIR)
      const from = resolve(source)
      const manifest = join(from, 'backup.json')
      if (!existsSync(manifest)) throw new Fault('bad-input', `${from} is no backup: it has no backup.json.`)
      closeToOthers(from)
      const { engine } = JSON.parse(readFileSync(manifest, 'utf8')) as { engine: string }
      const release = takeLock(folder.lock)
      try {
        if (!existsSync(folder.masterKey)) restoreSecrets([folder.masterKey, folder.nextMasterKey], from)
        if (!existsSync(folder.tokensAuthority)) restoreSecrets([folder.tokensAuthority], from)
        if (!existsSync(folder.masterKey) && config.ROOKERY_MASTER_KEY === '') {
          throw new Fault(
            'bad-input',
            `The backup has no master key: put the old master.key into ${folder.path}, or set ROOKERY_MASTER_KEY.`,
          )
        }
        await restoreDatabase(engine, config.ROOKERY_DATABASE_URL, folder.database, from)
        if (existsSync(join(from, 'bird')) && !existsSync(folder.bird))
          cpSync(join(from, 'bird'), folder.bird, { recursive: true })
        // The copies have the modes that the backup has, where they could not be changed.
        repairModes(folder, () => undefined)
        exposedBelow(folder.bird).forEach(repairMode)
        await checkKey(config, folder.database)
        // As a start does; on a disk without room for it, the console runs without.
        if (config.ROOKERY_DATABASE_URL === '') await fillReserve(folder.reserve, folder.path)
      } finally {
        release()
      }
      process.stdout.write(`Restored ${from} into ${folder.path}.\n`)
    },
  )
}

/** Says which files of the backup others could read. One whose mode cannot be changed, as on a CD, is restored all the same. */
function closeToOthers(backup: string): void {
  const exposed = exposedBelow(backup)
  for (const file of exposed) process.stderr.write(`${closed(file)}\n`)
  if (exposed.length > 0 && existsSync(join(backup, 'master.key')))
    process.stderr.write(
      'The backup holds the master key. If others may have read it, run `rookery rekey`, and replace what the backup decrypts: API keys and secrets of receivers.\n',
    )
}

function closed(file: ExposedFile): string {
  try {
    repairMode(file)
    return `${file.path} had mode ${file.mode}: others could read it. It is ${file.privateMode} now.`
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

/** Those of the files that the backup has. */
function restoreSecrets(files: readonly string[], from: string): void {
  for (const file of files) {
    const copy = join(from, basename(file))
    if (!existsSync(copy)) continue
    copyFileSync(copy, file)
    chmodSync(file, 0o600)
  }
}

/** Opens the database once. When its master key is another, the copy is removed, so that the next try finds an empty directory. */
async function checkKey(config: Config, database: string): Promise<void> {
  try {
    await runOffline(config, () => Promise.resolve(), 'examination')
  } catch (error) {
    if (config.ROOKERY_DATABASE_URL === '')
      for (const suffix of ['', '-wal', '-shm']) rmSync(database + suffix, { force: true })
    throw error
  }
}
