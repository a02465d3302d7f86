// `rookery backup <folder>`: a complete, consistent copy, also while the console is serving.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { Fault } from '@rookery/kernel/fault.ts'
import { backUpDatabase } from '@rookery/console/maintenance/backup.ts'
import { openDataFolder } from '@rookery/console/data-folder.ts'
import { VERSION } from '@rookery/console/version.ts'
import { addOptions, configOf } from '../flags.ts'

export function addBackup(program: Command): void {
  const command = program
    .command('backup')
    .description('copy the database (and the local Bird) into a new folder')
    .argument('<folder>', 'the folder to make')
    .option('--with-key', 'copy the master key, too: then the copy alone decrypts every secret')
  addOptions(command, ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL']).action(
    async (target: string, flags: Record<string, unknown>) => {
      const config = configOf(flags)
      const folder = openDataFolder(config.ROOKERY_DATA_DIR)
      const path = resolve(target)
      if (existsSync(path))
        throw new Fault('bad-input', `${path} exists. Name a folder that does not exist yet.`)
      const draft = `${path}.unfinished`
      rmSync(draft, { recursive: true, force: true })
      mkdirSync(draft, { recursive: true, mode: 0o700 })
      try {
        const engine = await backUpDatabase(config.ROOKERY_DATABASE_URL, folder.database, draft)
        if (existsSync(folder.bird)) cpSync(folder.bird, join(draft, 'bird'), { recursive: true })
        if (flags['withKey'] === true && existsSync(folder.masterKey)) {
          copyFileSync(folder.masterKey, join(draft, 'master.key'))
          chmodSync(join(draft, 'master.key'), 0o600)
        }
        writeFileSync(join(draft, 'backup.json'), JSON.stringify({ rookery: VERSION, engine }) + '\n')
        renameSync(draft, path)
      } catch (error) {
        rmSync(draft, { recursive: true, force: true })
        throw error
      }
      const key =
        flags['withKey'] === true ? 'with its master key' : 'without the master key: store that elsewhere'
      process.stdout.write(`Backed up to ${path}, ${key}.\n`)
    },
  )
}
