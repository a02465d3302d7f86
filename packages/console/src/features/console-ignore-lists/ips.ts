// The addresses, with or without a port, whose touches are ignored.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Query } from '../../db/query.ts'
import {
  checkedAddress,
  checkedRange,
  coveringLine,
  ipLine,
  matchingLine,
  parseIpLine,
  refuseWide,
  storedEntry,
} from '../../addresses/ip-list.ts'
import { checkedLogtypes, isLogtype } from '../../logtypes.ts'
import { canonicalRange } from '../../addresses/ranges.ts'
import { addLine, CONSOLE, readLines, replaceLines } from '../../stores/ignore/store.ts'
import { isEnabled, replaceList, switchList, type ListHandlers } from './lists.ts'

export const ipHandlers = (reader: Query) =>
  ({
    async addIp({ src_ip, dst_port, logtypes, force = false }, { change }) {
      const range = checkedRange(src_ip, 'src_ip')
      if (!force) refuseWide(range, 'src_ip')
      const line = ipLine(range, dst_port, checkedLogtypes(logtypes, 'logtypes'))
      await change((tx) => addLine(tx, 'ip', CONSOLE, line))
      return { message: 'Whitelist added' }
    },
    replaceIps: ({ whitelist_ips: text = '', clear = false, force = false }, call) =>
      replaceList(call, 'ip', {
        parameter: 'whitelist_ips',
        text,
        clear,
        check: (line) => parseIpLine(line, { parameter: 'whitelist_ips', isLogtype, refusesWide: !force }),
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
    async isIpIgnored({ src_ip, dst_port, logtype }) {
      const range = checkedAddress(src_ip, 'src_ip')
      const [kind] = checkedLogtypes(logtype, 'logtype')
      const lines = await readLines(reader, 'ip', CONSOLE)
      const match = matchingLine(lines, { range, port: dst_port, logtype: kind })
      return {
        is_ip_ignored: match?.isWhole ?? false,
        is_ip_whitelisted: match?.isWhole ?? false,
        is_whitelist_enabled: await isEnabled(reader, 'ip'),
        matched_entry: match?.line ?? '',
        matched_list: match === undefined ? '' : 'console',
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
    coveringLine(kept, { range }) ??
    kept.find(
      (line) => wasIgnored(portOf(line)) && coveringLine([line], { range, port: portOf(line) }) !== undefined,
    )
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

const portOf = (line: string): number | undefined => storedEntry(line)?.port

/** The range that a line names; undefined for a comment. */
function rangeOf(line: string): string | undefined {
  const range = storedEntry(line)?.range
  return range === undefined ? undefined : canonicalRange(range)
}
