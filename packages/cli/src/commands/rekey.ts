// `rookery rekey`: replaces the master key. No console may be running.
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { Fault } from '@rookery/kernel/fault.ts'
import { openDataFolder } from '@rookery/console/data-folder.ts'
import { takeLock } from '@rookery/console/db/lock.ts'
import { rekey } from '@rookery/console/maintenance/rekey.ts'
import { readSecretFile } from '@rookery/console/config/read-secret-file.ts'
import { parseMasterKey } from '@rookery/console/secrets/master-key.ts'
import { systemRandom } from '@rookery/console/world/system.ts'
import { addOptions, configOf } from '../flags.ts'
import { runOffline } from './offline.ts'

const FLAG = '--new-key-file'

export function addRekey(program: Command): void {
  const command = program
    .command('rekey')
    .description(
      'replace the master key while every console is stopped: all secrets are sealed under a new one',
    )
    .option(
      `${FLAG} <path>`,
      'file with the new key, 64 hex digits; without it, a new one is made for <data>/master.key',
    )
  addOptions(command, ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL', 'ROOKERY_MASTER_KEY']).action(
    async (flags: Record<string, unknown>) => {
      const config = configOf(flags)
      const file = flags['newKeyFile']
      const isGiven = config.ROOKERY_MASTER_KEY !== ''
      if (isGiven && file === undefined)
        throw new Fault(
          'bad-input',
          `The master key comes from ROOKERY_MASTER_KEY: write the new one into a file, name it with ${FLAG}, and set the variable to it afterwards.`,
        )
      const next = file === undefined ? systemRandom.bytes(32) : readNewKey(String(file))
      const folder = openDataFolder(config.ROOKERY_DATA_DIR)
      const release = takeLock(folder.lock)
      let keyId: string
      try {
        keyId = await runOffline(config, (base) => rekey(base, next, isGiven ? undefined : folder))
      } finally {
        release()
      }
      const lines = [
        `Everything is sealed under the new master key ${keyId}.`,
        isGiven
          ? 'Set ROOKERY_MASTER_KEY to it. Keep the old key for backups made until now.'
          : `It lies in ${folder.masterKey}. The old one, which backups made until now need, lies in ${folder.oldMasterKey}: store it elsewhere, or delete it.`,
        ...(config.ROOKERY_DATABASE_URL === ''
          ? []
          : ['Give the new key to every console on this database before you start it.']),
        ...(existsSync(folder.tokensAuthority)
          ? [
              `${folder.tokensAuthority} is not under the master key, and stays. If others may have read it, too, remove it: the next start makes another.`,
            ]
          : []),
      ]
      process.stdout.write(lines.join('\n') + '\n')
    },
  )
}

const readNewKey = (path: string): Uint8Array =>
  parseMasterKey(
    readSecretFile(path, FLAG, (warning) => process.stderr.write(`${warning}\n`)),
    `The content of ${path} (${FLAG})`,
  )
