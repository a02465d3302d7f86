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
import type { Config } from '@rookery/console/config/config.ts'
import { DEFAULT_KEPT, readInterval, readKept, startSchedule } from '../backup-schedule.ts'
import { addOptions, configOf } from '../flags.ts'
import { openLog } from '../log.ts'
import { untilStopped } from '../until-stopped.ts'

const WITH_KEY = 'with its master key.'
const WITHOUT_KEY = 'without the master key: store that elsewhere.'
const BIRD_WITHOUT_KEY =
  "The local Bird's private key is left out, too: after a restore, `rookery up` enrols it anew, as another Bird."
const AUTHORITY_WITHOUT_KEY =
  'The own certificate authority of the token host is left out, too: after a restore, the next start makes another.'

export function addBackup(program: Command): void {
  const command = program
    .command('backup')
    .description('copy the database (and the local Bird) into a new folder, once or again and again')
    .argument('<folder>', 'the folder to make; with --every, the folder that holds one for each backup')
    .option(
      '--with-key',
      "copy the master key, the local Bird's key and the token host's certificate authority, too: then the copy alone decrypts every secret",
    )
    .option(
      '--every <interval>',
      'run on, with a backup at once and then in this interval, such as 30m, 6h or 1d',
    )
    .option('--keep <number>', `with --every: how many of the newest stay (default ${DEFAULT_KEPT})`)
  addOptions(command, ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL', 'ROOKERY_LOG']).action(
    async (target: string, flags: Record<string, unknown>) => {
      const config = configOf(flags)
      const withKey = flags['withKey'] === true
      const { every, keep } = flags
      if (every === undefined) {
        if (keep !== undefined) throw new Fault('bad-input', '--keep needs --every.')
        for (const line of await backUp(config, resolve(target), withKey)) process.stdout.write(`${line}\n`)
        return
      }
      const everyMs = readInterval(String(every))
      const kept = keep === undefined ? DEFAULT_KEPT : readKept(String(keep))
      const make = async (path: string): Promise<void> => void (await backUp(config, path, withKey))
      const log = openLog(config.ROOKERY_LOG, process.stderr.isTTY)
      const schedule = startSchedule({ folder: resolve(target), everyMs, kept, make, log })
      process.exitCode = await untilStopped(schedule.stop)
    },
  )
}

/** Makes the folder; answers what to print. */
async function backUp(config: Config, path: string, withKey: boolean): Promise<string[]> {
  const folder = openDataFolder(config.ROOKERY_DATA_DIR)
  if (existsSync(path)) throw new Fault('bad-input', `${path} exists. Name a folder that does not exist yet.`)
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
  return [
    `Backed up to ${path}, ${withKey ? WITH_KEY : WITHOUT_KEY}`,
    ...(!withKey && existsSync(join(folder.bird, IDENTITY_FILE)) ? [BIRD_WITHOUT_KEY] : []),
    ...(!withKey && existsSync(folder.tokensAuthority) ? [AUTHORITY_WITHOUT_KEY] : []),
  ]
}

/** Those of the files that exist. */
function copySecrets(files: readonly string[], folder: string): void {
  for (const file of files.filter((it) => existsSync(it))) {
    const copy = join(folder, basename(file))
    copyFileSync(file, copy)
    chmodSync(copy, 0o600)
  }
}
