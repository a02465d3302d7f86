// Commands that work on the database itself, not over the API. A console may be serving from it meanwhile.
import type { Config } from '@rookery/console/config/config.ts'
import { openDataFolder } from '@rookery/console/data-folder.ts'
import { openContext, type OpenContext, type Role } from '@rookery/console/open-context.ts'
import { openRealWorld } from '@rookery/console/world/real.ts'
import { openLog } from '../log.ts'

/** Opens the database, does the work, and closes it. */
export async function runOffline<T>(
  config: Config,
  work: (base: OpenContext) => Promise<T>,
  role: Exclude<Role, 'server'> = 'command',
): Promise<T> {
  const log = openLog('warn', process.stderr.isTTY)
  const base = await openContext(
    config,
    openDataFolder(config.ROOKERY_DATA_DIR),
    openRealWorld(config),
    log,
    { role },
  )
  try {
    return await work(base)
  } finally {
    await base.close()
  }
}
