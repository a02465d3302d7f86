// 4.18: a Flock's own list of ignored addresses, and whether the console's applies too.
import { flockIgnoreLists } from '@rookery/contract/groups/flock-ignore-lists.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import {
  checkedAddress,
  checkedRange,
  entriesOf,
  entryOf,
  ipLine,
  joinEntries,
  matchingLine,
  parseIpLine,
  refuseWide,
} from '../../addresses/ip-list.ts'
import { checkedLogtypes, isLogtype } from '../../logtypes.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import {
  addLine,
  changeFlockIgnore,
  CONSOLE,
  readLines,
  replaceLines,
  type FlockIgnore,
} from '../../stores/ignore/store.ts'
import type { Tx } from '../../db/query.ts'
import { flockLists } from './model.ts'
import { sanitized } from './views.ts'

interface FlockParams {
  readonly flock_id: string
}

export function flockIgnoreListsRoutes({ reader }: Pick<AppContext, 'reader'>): Route<Call>[] {
  const change = ({ caller, change: write }: Call, flockId: string, work: (tx: Tx) => Promise<unknown>) =>
    write(async (tx) => {
      await existingFlock(tx.query, caller.scope, flockId)
      await work(tx)
    })
  const switchTo =
    (to: Partial<Pick<FlockIgnore, 'mode' | 'inherits'>>) =>
    async ({ flock_id }: FlockParams, call: Call) => {
      await change(call, flock_id, (tx) => changeFlockIgnore(tx, flock_id, to))
      return {}
    }

  return implement(flockIgnoreLists, {
    async add({ flock_id, src_ip, dst_port, logtypes, force = false }, call: Call) {
      const range = checkedRange(src_ip, 'src_ip')
      if (!force) refuseWide(range, 'src_ip')
      const line = ipLine(range, dst_port, checkedLogtypes(logtypes, 'logtypes'))
      await change(call, flock_id, (tx) => addLine(tx, 'ip', flock_id, line))
      return { message: 'Whitelist added' }
    },
    async save({ flock_id, whitelist = '', clear = false, force = false }, call: Call) {
      const lines = entriesOf(whitelist, 'whitelist')
      if (lines.length === 0 && !clear) {
        throw new Fault('bad-input', 'Parameter whitelist is required.', {
          details: { whitelist: 'is required, unless clear is true' },
        })
      }
      const rules = { parameter: 'whitelist', portAlone: true, isLogtype, refusesWide: !force }
      for (const line of lines) parseIpLine(line, rules)
      await change(call, flock_id, (tx) => replaceLines(tx, 'ip', flock_id, lines))
      return {}
    },

    enable: switchTo({ mode: 'on' }),
    disable: switchTo({ mode: 'off' }),
    useGlobal: switchTo({ mode: 'global' }),
    inheritGlobal: switchTo({ inherits: 1 }),
    inheritNothing: switchTo({ inherits: 0 }),

    async isEnabled({ flock_id }, call: Call) {
      return { is_enabled: (await flockLists(reader, call, flock_id)).isEnabled }
    },
    async isGlobal({ flock_id }, call: Call) {
      return { is_global: (await flockLists(reader, call, flock_id)).mode === 'global' }
    },
    async isIgnored({ flock_id, src_ip, dst_port, logtype }, call: Call) {
      const range = src_ip === undefined ? undefined : checkedAddress(src_ip, 'src_ip')
      const [kind] = checkedLogtypes(logtype, 'logtype')
      const question = { range, port: dst_port, logtype: kind }
      const { mode, own, global, isEnabled } = await flockLists(reader, call, flock_id)
      const ofFlock = mode === 'global' ? undefined : matchingLine(own, question)
      const ofConsole = matchingLine(global, question)
      const match = ofFlock?.isWhole ? ofFlock : ofConsole?.isWhole ? ofConsole : (ofFlock ?? ofConsole)
      const matchedList = match === ofFlock ? 'flock' : 'console'
      return {
        is_whitelisted: match?.isWhole ?? false,
        is_whitelist_enabled: isEnabled,
        matched_entry: match?.line ?? '',
        matched_list: match === undefined ? '' : matchedList,
      }
    },
    async asText({ flock_id }, call: Call) {
      return { whitelist: joinEntries((await flockLists(reader, call, flock_id)).own) }
    },
    async sanitized({ flock_id }, call: Call) {
      const { mode, own, global } = await flockLists(reader, call, flock_id)
      return { whitelist: sanitized({ flock: mode === 'global' ? [] : own, global }) }
    },

    async info({ flock_id }, call: Call) {
      const { inForce, isEnabled, inherits, settings } = await flockLists(reader, call, flock_id)
      const hosts = await readLines(reader, 'hostname', CONSOLE)
      return {
        whitelisting_info: {
          hostname_ignorelisting: {
            enabled: settings.hostname_ignore_enabled === 'true',
            hostnames: hosts.map(entryOf).filter(Boolean),
          },
          inherit_global_whitelist_ips: inherits,
          ip_whitelisting: { enabled: isEnabled, ips: joinEntries(inForce) },
          src_port_ignorelisting: {
            enabled: settings.src_port_ignore_enabled === 'true',
            src_ports: joinEntries(await readLines(reader, 'src_port', CONSOLE)),
          },
        },
      }
    },
  })
}
