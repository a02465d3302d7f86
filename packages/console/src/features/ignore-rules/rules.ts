// What the touches of an incident can be ignored by, the narrowest first. Pure.
import type { ignoreRules } from '@rookery/contract/groups/ignore-rules.ts'
import type { Answer } from '@rookery/contract/operation.ts'
import { SCAN_LOGTYPES } from '../../logtypes.ts'
import { hostName } from '../../addresses/host-list.ts'
import { ipLine } from '../../addresses/ip-list.ts'
import type { IncidentRow } from '../../stores/incidents/filter.store.ts'
import type { SourceCount } from '../../stores/incidents/matching.store.ts'
import type { ListName } from '../../stores/ignore/tables.ts'

export type Rule = Answer<typeof ignoreRules.ofIncident>['rules'][number]

/** What applies now, as far as the rules depend on it. */
export interface Lists {
  readonly mode: 'global' | 'on' | 'off'
  readonly inherits: boolean
  readonly ownLines: number
  readonly console: Readonly<Record<ListName, { readonly isOn: boolean; readonly lines: readonly string[] }>>
}

type Source = Pick<IncidentRow, 'flock_id' | 'src_host' | 'dst_port' | 'logtype' | 'memo'>
type Bare = Omit<Rule, 'enables' | 'idle_lines' | 'matches'>

/** Lines for the address of an incident, each with the incidents that it would have kept away. */
export function addressRules(incident: Source, lists: Lists, counts: readonly SourceCount[]): Rule[] {
  const { flock_id, src_host, dst_port, logtype, memo } = incident
  const isScan = SCAN_LOGTYPES.has(logtype)
  const matching = (fits: (it: SourceCount) => boolean): number =>
    counts.reduce((sum, it) => (fits(it) ? sum + Number(it.n) : sum), 0)
  const here = (it: SourceCount): boolean => it.flock_id === flock_id
  const ofFlock = (covers: Bare['covers'], line: string, fits: (it: SourceCount) => boolean): Rule => ({
    covers,
    list: 'ip',
    flock_id,
    line,
    matches: matching((it) => here(it) && fits(it)),
    enables: lists.mode !== 'on',
    idle_lines: lists.mode === 'on' ? 0 : lists.ownLines,
  })
  // Neither a scan nor a token has one port.
  const hasPort = dst_port > 0 && memo === null && !isScan
  // The console's list reaches a Flock that follows or inherits it.
  const reaches = lists.mode === 'global' || (lists.mode === 'on' && lists.inherits)
  return [
    hasPort
      ? ofFlock('address-port', ipLine(src_host, dst_port), (it) => it.dst_port === dst_port)
      : ofFlock('address-kind', ipLine(src_host, undefined, [logtype]), (it) => it.logtype === logtype),
    ofFlock('address', src_host, () => true),
    ...(isScan
      ? [
          ofConsole(
            { covers: 'port-scans', list: 'src_port', line: src_host },
            lists,
            matching((it) => SCAN_LOGTYPES.has(it.logtype)),
          ),
        ]
      : []),
    ...(reaches
      ? [
          ofConsole(
            { covers: 'address', list: 'ip', line: src_host },
            lists,
            matching(() => true),
          ),
        ]
      : []),
  ]
}

export function ofConsole(rule: Pick<Bare, 'covers' | 'list' | 'line'>, lists: Lists, matches: number): Rule {
  const { isOn, lines } = lists.console[rule.list]
  return { ...rule, flock_id: '', matches, enables: !isOn, idle_lines: isOn ? 0 : lines.length }
}

/** The reverse name as a line; undefined where a reverse zone contains what no host name is. */
export const nameLine = ({ src_host_reverse }: Pick<IncidentRow, 'src_host_reverse'>): string | undefined =>
  src_host_reverse === '' ? undefined : hostName(src_host_reverse)
