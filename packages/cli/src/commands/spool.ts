// `rookery spool deliver`: takes over the touches of a console that is gone for good.
import type { Command } from 'commander'
import { openDataFolder } from '@rookery/console/data-folder.ts'
import { takeLock } from '@rookery/console/db/lock.ts'
import { deliverSpool } from '@rookery/console/maintenance/deliver-spool.ts'
import { addOptions, configOf } from '../flags.ts'
import { runOffline } from './offline.ts'

export function addSpool(program: Command): void {
  const command = program.command('spool').description('touches that wait on disk for the database')
  const deliver = command
    .command('deliver')
    .argument('<folder>', 'the folder "touches" in the data directory of a console that no longer runs')
    .description('store the touches of a spool, each once, and empty it')
  addOptions(deliver, ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL', 'ROOKERY_MASTER_KEY']).action(
    async (folder: string, flags: Record<string, unknown>) => {
      const config = configOf(flags)
      // A console that serves from SQLite would not notice the alerts.
      using lock = new DisposableStack()
      if (config.ROOKERY_DATABASE_URL === '')
        lock.defer(takeLock(openDataFolder(config.ROOKERY_DATA_DIR).lock))
      const { delivered, lost } = await runOffline(config, (base) => deliverSpool(base, config, folder))
      process.stdout.write(`${delivered} touches delivered, ${lost} refused by the database\n`)
      process.exitCode = lost === 0 ? 0 : 1
    },
  )
}
