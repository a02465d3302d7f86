// 4.1: whose touches raise nothing, on the whole console.
import { isIP } from 'node:net'
import { consoleIgnoreLists } from '@rookery/contract/groups/console-ignore-lists.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Base } from '../../base.ts'
import type { Call } from '../../http/call.ts'
import { compileIpList, ipLine, parseIpLine } from '../../net/ip-list.ts'
import { canonicalRange } from '../../net/ranges.ts'
import { addIpLine, readIpLines, replaceIpLines } from '../../stores/ignore/store.ts'
import { readSettings, writeSetting } from '../../stores/settings/store.ts'

export function consoleIgnoreListRoutes({ reader }: Pick<Base, 'reader'>): Route<Call>[] {
  async function switchIps({ change }: Call, enabled: boolean) {
    await change((tx) => writeSetting(tx, 'ip_ignore_enabled', String(enabled)))
    return {}
  }

  return implement(consoleIgnoreLists, {
    async addIp({ src_ip, dst_port }, { change }: Call) {
      const line = ipLine(checkedRange(src_ip), dst_port)
      await change((tx) => addIpLine(tx, 'console', line))
      return { message: 'Whitelist added' }
    },

    async replaceIps({ whitelist_ips = '', clear = false }, { change }: Call) {
      const lines = whitelist_ips
        .split(/\r\n|\r|\n/)
        .map((line) => line.trim())
        .filter(Boolean)
      if (lines.length === 0 && !clear) {
        throw new Fault('bad-input', 'Parameter whitelist_ips is required.', {
          details: { whitelist_ips: 'is required, unless clear is true' },
        })
      }
      for (const line of lines) parseIpLine(line, 'whitelist_ips')
      await change((tx) => replaceIpLines(tx, 'console', lines))
      return {}
    },

    async removeIp({ src_ip }, { change }: Call) {
      const range = checkedRange(src_ip)
      await change(async (tx) => {
        const lines = await readIpLines(tx.query, 'console')
        const kept = lines.filter((line) => rangeOf(line) !== range)
        if (kept.length === lines.length) throw new Fault('not-found', `${range} is not on the list.`)
        await replaceIpLines(tx, 'console', kept)
      })
      return {}
    },

    enableIps: (_params, call: Call) => switchIps(call, true),
    disableIps: (_params, call: Call) => switchIps(call, false),

    async isIpIgnored({ src_ip, dst_port }) {
      const list = compileIpList(await readIpLines(reader, 'console'))
      return {
        is_ip_whitelisted: list.has(checkedAddress(src_ip), dst_port),
        is_whitelist_enabled: (await readSettings(reader)).ip_ignore_enabled === 'true',
      }
    },
  })
}

/** The range that a line speaks of; undefined for a comment. */
function rangeOf(line: string): string | undefined {
  const entry = parseIpLine(line, 'list')
  return entry && canonicalRange(entry.range)
}

function checkedRange(text: string): string {
  const range = canonicalRange(text.trim())
  if (range !== undefined) return range
  throw wrongSource('an IP address or a CIDR range', text)
}

function checkedAddress(text: string): string {
  if (isIP(text.trim()) !== 0) return text.trim()
  throw wrongSource('an IP address', text)
}

const wrongSource = (wanted: string, given: string): Fault =>
  new Fault('bad-input', 'Parameter src_ip was invalid.', {
    details: { src_ip: `must be ${wanted}, not ${JSON.stringify(given)}` },
  })
