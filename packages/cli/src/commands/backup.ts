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
import { basename, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { IDENTITY_FILE } from '@rookery/bird/data-directory.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { backUpDatabase } from '@rookery/console/maintenance/backup.ts'
import { openDataFolder } from '@rookery/console/data-folder.ts'
import { VERSION } from '@rookery/console/version.ts'
import { addOptions, configOf } from '../flags.ts'

const WITH_KEY = 'with its master key.'
const WITHOUT_KEY = 'without the master key: store that elsewhere.'
const BIRD_WITHOUT_KEY =
  "The local Bird's private key is left out, too: after a restore, `rookery up` enrols it anew, as another Bird.\n"
const AUTHORITY_WITHOUT_KEY =
  'The own certificate authority of the token host is left out, too: after a restore, the next start makes another.\n'

export function addBackup(program: Command): void {
  const command = program
    .command('backup')
    .description('copy the database (and the local Bird) into a new folder')
    .argument('<folder>', 'the folder to make')
    .option(
      '--with-key',
      "copy the master key, the local Bird's key and the token host's certificate authority, too: then the copy alone decrypts every secret",
    )
  addOptions(command, ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL']).action(
    async (target: string, flags: Record<string, unknown>) => {
      const config = configOf(flags)
      const folder = openDataFolder(config.ROOKERY_DATA_DIR)
      const path = resolve(target)
      if (existsSync(path))
        throw new Fault('bad-input', `${path} exists. Name a folder that does not exist yet.`)
      const withKey = flags['withKey'] === true
      const draft = `${path}.unfinished`
      rmSync(draft, { recursive: true, force: true })
      mkdirSync(draft, { recursive: true, mode: 0o700 })
      try {
        const engine = await backUpDatabase(config.ROOKERY_DATABASE_URL, folder.database, draft)
        if (existsSync(folder.bird))
          cpSync(folder.bird, join(draft, 'bird'), {
            recursive: true,
            filter: (file) => withKey || basename(file) !== IDENTITY_FILE,
          })
        // Two while one replaces the other: the database decides which one counts.
        const keys = [folder.masterKey, folder.nextMasterKey, folder.tokensAuthority]
        if (withKey) copySecrets(keys, draft)
        writeFileSync(join(draft, 'backup.json'), JSON.stringify({ rookery: VERSION, engine }) + '\n')
        renameSync(draft, path)
      } catch (error) {
        rmSync(draft, { recursive: true, force: true })
        throw error
      }
      process.stdout.write(`Backed up to ${path}, ${withKey ? WITH_KEY : WITHOUT_KEY}\n`)
      if (!withKey && existsSync(join(folder.bird, IDENTITY_FILE))) process.stdout.write(BIRD_WITHOUT_KEY)
      if (!withKey && existsSync(folder.tokensAuthority)) process.stdout.write(AUTHORITY_WITHOUT_KEY)
    },
  )
}

/** Those of the files that exist. */
function copySecrets(files: readonly string[], folder: string): void {
  for (const file of files.filter((it) => existsSync(it))) {
    const copy = join(folder, basename(file))
    copyFileSync(file, copy)
    chmodSync(copy, 0o600)
  }
}
