// Does a touch count? The console's IP list decides first (behaviour 9).
import type { ConfigCache } from '../../db/config-cache.ts'
import { compileIpList, type IpList } from '../../net/ip-list.ts'
import { readIpLines } from '../../stores/ignore/store.ts'
import { readSettings } from '../../stores/settings/store.ts'

/** The name of the list that lets a touch raise nothing; undefined when it counts. */
export type Ignoring = (srcHost: string, dstPort: number) => 'ip' | undefined

const NOBODY: IpList = { has: () => false }

/** The lists as they stand now, ready to be asked without waiting. */
export async function loadIgnoring(config: ConfigCache): Promise<Ignoring> {
  const { ip_ignore_enabled } = await config.get('settings', readSettings)
  const list =
    ip_ignore_enabled === 'true'
      ? await config.get('ignored ips', async (db) => compileIpList(await readIpLines(db, 'console')))
      : NOBODY
  return (srcHost, dstPort) => (list.has(srcHost, dstPort) ? 'ip' : undefined)
}
