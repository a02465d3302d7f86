// Opens the database beside a serving console, for one small change.
import type { Config } from '@rookery/console/config.ts'
import { openDataFolder } from '@rookery/console/data-folder.ts'
import { openBase, type OpenBase } from '@rookery/console/open-base.ts'
import { openRealWorld } from '@rookery/console/world/real.ts'
import { openLog } from '../log.ts'

export async function beside<T>(config: Config, work: (base: OpenBase) => Promise<T>): Promise<T> {
  const log = openLog('warn', process.stderr.isTTY)
  const base = await openBase(
    config,
    openDataFolder(config.ROOKERY_DATA_DIR),
    openRealWorld(config),
    log,
    'beside',
  )
  try {
    return await work(base)
  } finally {
    await base.close()
  }
}
