// The addresses, with or without a port, whose touches are ignored.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Query } from '../../db/query.ts'
import {
  checkedAddress,
  checkedRange,
  coveringLine,
  ipLine,
  parseIpLine,
  refuseWide,
} from '../../net/ip-list.ts'
import { canonicalRange } from '../../net/ranges.ts'
import { addLine, CONSOLE, readLines, replaceLines } from '../../stores/ignore/store.ts'
import { isEnabled, replaceList, switchList, type ListHandlers } from './lists.ts'

export const ipHandlers = (reader: Query) =>
  ({
    async addIp({ src_ip, dst_port, force = false }, { change }) {
      const range = checkedRange(src_ip, 'src_ip')
      if (!force) refuseWide(range, 'src_ip')
      const line = ipLine(range, dst_port)
      await change((tx) => addLine(tx, 'ip', CONSOLE, line))
      return { message: 'Whitelist added' }
    },
    replaceIps: ({ whitelist_ips: text = '', clear = false, force = false }, call) =>
      replaceList(call, 'ip', {
        parameter: 'whitelist_ips',
        text,
        clear,
        check: (line) => parseIpLine(line, { parameter: 'whitelist_ips', refusesWide: !force }),
      }),
    async removeIp({ src_ip }, { change }) {
      const range = checkedRange(src_ip, 'src_ip')
      const covering = await change(async (tx) => {
        const lines = await readLines(tx.query, 'ip', CONSOLE)
        const kept = lines.filter((line) => rangeOf(line) !== range)
        const removed = lines.filter((line) => rangeOf(line) === range)
        const still = stillCovering(kept, range, removed)
        if (removed.length === 0) throw notOnList(range, still)
        await replaceLines(tx, 'ip', CONSOLE, kept)
        return still
      })
      return covering === undefined
        ? {}
        : { message: `${range} was removed and is still ignored${onPort(covering)}; ${toRemove(covering)}` }
    },
    enableIps: switchList('ip', true),
    disableIps: switchList('ip', false),
    async isIpIgnored({ src_ip, dst_port }) {
      const address = checkedAddress(src_ip, 'src_ip')
      const line = coveringLine(await readLines(reader, 'ip', CONSOLE), address, dst_port)
      return {
        is_ip_ignored: line !== undefined,
        is_ip_whitelisted: line !== undefined,
        is_whitelist_enabled: await isEnabled(reader, 'ip'),
        matched_entry: line ?? '',
        matched_list: line === undefined ? '' : 'console',
      }
    },
  }) satisfies ListHandlers

/** The line that still ignores the range: for every port, else for a port for which a removed line ignored it. */
function stillCovering(
  kept: readonly string[],
  range: string,
  removed: readonly string[],
): string | undefined {
  const ports = new Set(removed.map(portOf))
  const wasIgnored = (port: number | undefined): boolean =>
    ports.size === 0 || ports.has(undefined) || ports.has(port)
  return (
    coveringLine(kept, range, undefined) ??
    kept.find((line) => wasIgnored(portOf(line)) && coveringLine([line], range, portOf(line)) !== undefined)
  )
}

/** Says which wider range still ignores the address: a removal would change nothing. */
const notOnList = (range: string, covering: string | undefined): Fault =>
  new Fault(
    'not-found',
    covering === undefined
      ? `${range} is not on the list.`
      : `${range} is not on the list; ${toRemove(covering)}`,
  )

const toRemove = (covering: string): string =>
  `the entry ${JSON.stringify(covering)} covers it: remove that range.`

const onPort = (line: string): string => {
  const port = portOf(line)
  return port === undefined ? '' : ` on port ${port}`
}

const portOf = (line: string): number | undefined => parseIpLine(line, { parameter: 'list' })?.port

/** The range that a line names; undefined for a comment. */
function rangeOf(line: string): string | undefined {
  const range = parseIpLine(line, { parameter: 'list' })?.range
  return range === undefined ? undefined : canonicalRange(range)
}
