// Does a touch count? Decided in this order: the Flock's list of addresses, host names, source ports, annotations.
// A batch never waits for the answer, and empty lists cost nothing.
import type { ConfigCache } from '../../../db/config-cache.ts'
import type { Query } from '../../../db/query.ts'
import { readAddress, type Address } from '../../../addresses/address-set.ts'
import { compileHostList, type HostList } from '../../../addresses/host-list.ts'
import { SCAN_LOGTYPES } from '../../../logtypes.ts'
import { compileIpList, lineFinder, unionOf, type IpList } from '../../../addresses/ip-list.ts'
import { CONSOLE, readAllLines, readFlockIgnores, readIgnoreVersion } from '../../../stores/ignore/store.ts'
import type { ListName } from '../../../stores/ignore/tables.ts'
import { readSettings, type ConsoleSettings } from '../../../stores/settings/store.ts'
import type { Arrival } from '../../raise/arrival.ts'

/** The list that ignores a touch, `look-up` where that depends on a name that is not known yet, or undefined: it counts. */
export type IgnoreVerdict = ListName | 'look-up' | undefined

export interface IgnoreLists {
  readonly hosts: HostList
  /** `isNamed` answers whether an address has a name of the list; undefined while that is not known. */
  match(arrival: Arrival, isNamed: (address: string) => boolean | undefined): IgnoreVerdict
  /** The entry of the list that ignores the touch; empty when it is not known. Not for every touch: it reads all lines. */
  entryFor(arrival: Arrival, list: ListName, nameOf: (address: string) => string | undefined): string
}

const NO_ADDRESS = compileIpList([])
const NO_HOST = compileHostList([])

/** Answers the present lists, compiled; they are compiled anew only when they changed. */
export function openIgnoreLists(config: ConfigCache): () => Promise<IgnoreLists> {
  let compiled: { readonly of: string; readonly lists: IgnoreLists } | undefined
  async function load(db: Query): Promise<IgnoreLists> {
    const settings = await readSettings(db)
    // The version comes first: lines that are newer than it are only read once more.
    const of = JSON.stringify([await readIgnoreVersion(db), ...SWITCHES.map((name) => settings[name])])
    if (compiled?.of !== of) compiled = { of, lists: await compile(db, settings) }
    return compiled.lists
  }
  return () => config.get('ignore lists', load)
}

const SWITCHES = [
  'ip_ignore_enabled',
  'hostname_ignore_enabled',
  'src_port_ignore_enabled',
  'annotation_ignore_enabled',
] as const

async function compile(db: Query, settings: ConsoleSettings): Promise<IgnoreLists> {
  const lines = new Map<string, string[]>()
  for (const { list, owner, line } of await readAllLines(db)) {
    const key = `${list} ${owner}`
    lines.set(key, lines.get(key) ?? [])
    lines.get(key)?.push(line)
  }
  const linesOf = (list: ListName, owner: string = CONSOLE): string[] => lines.get(`${list} ${owner}`) ?? []
  const ifOn = <T>(name: (typeof SWITCHES)[number], value: T, otherwise: T): T =>
    settings[name] === 'true' ? value : otherwise

  const ofConsole = ifOn('ip_ignore_enabled', compileIpList(linesOf('ip')), NO_ADDRESS)
  const ofFlocks = new Map<string, IpList>()
  const consoleFinder = lineFinder(linesOf('ip'))
  const finders = new Map<string, typeof consoleFinder>()
  for (const { flock_id, mode, inherits } of await readFlockIgnores(db)) {
    if (mode === 'global') continue
    const own = mode === 'on' ? compileIpList(linesOf('ip', flock_id)) : NO_ADDRESS
    finders.set(flock_id, lineFinder([...linesOf('ip', flock_id), ...(inherits === 1 ? linesOf('ip') : [])]))
    ofFlocks.set(flock_id, mode === 'on' && inherits === 1 ? unionOf([own, ofConsole]) : own)
  }
  return ignoreListsOf({
    addresses: (flockId) => ofFlocks.get(flockId) ?? ofConsole,
    hosts: ifOn('hostname_ignore_enabled', compileHostList(linesOf('hostname')), NO_HOST),
    scanners: ifOn('src_port_ignore_enabled', compileIpList(linesOf('src_port')), NO_ADDRESS),
    annotations: ifOn('annotation_ignore_enabled', new Set(linesOf('annotation')), new Set()),
    isEmpty: lines.size === 0,
    addressLine: (flockId) => finders.get(flockId) ?? consoleFinder,
    scannerLine: lineFinder(linesOf('src_port')),
  })
}

interface Lists {
  readonly addresses: (flockId: string) => IpList
  readonly hosts: HostList
  /** Addresses whose port scans are ignored. */
  readonly scanners: IpList
  readonly annotations: ReadonlySet<string>
  /** No list has a line. */
  readonly isEmpty: boolean
  readonly addressLine: (flockId: string) => ReturnType<typeof lineFinder>
  readonly scannerLine: ReturnType<typeof lineFinder>
}

const questionOf = ({ srcHost, dstPort, logtype }: Arrival['touch']) => ({
  range: srcHost,
  port: dstPort,
  logtype,
})

function ignoreListsOf(lists: Lists): IgnoreLists {
  const { addresses, hosts, scanners, annotations, isEmpty, addressLine, scannerLine } = lists
  return {
    hosts,
    entryFor({ touch, subject, annotations: matched = [] }, list, nameOf) {
      switch (list) {
        case 'ip':
          return addressLine(subject.flockId)(questionOf(touch)) ?? ''
        case 'src_port':
          return scannerLine({ range: touch.srcHost }) ?? ''
        case 'annotation':
          return matched.find((name) => annotations.has(name)) ?? ''
        case 'hostname':
          return hosts.entryFor(nameOf(touch.srcHost) ?? '') ?? ''
      }
    },
    match({ touch, subject, annotations: matched }, isNamed) {
      if (isEmpty) return undefined
      const list = addresses(subject.flockId)
      const isScan = !scanners.isEmpty && SCAN_LOGTYPES.has(touch.logtype)
      let address: Address | undefined
      if (!list.isEmpty || isScan) address = readAddress(touch.srcHost)
      if (!list.isEmpty && list.has(address, touch.dstPort, touch.logtype)) return 'ip'
      const named = hosts.isEmpty ? false : isNamed(touch.srcHost)
      if (named) return 'hostname'
      if (isScan && scanners.has(address)) return 'src_port'
      if (matched?.some((name) => annotations.has(name))) return 'annotation'
      return named === undefined ? 'look-up' : undefined
    },
  }
}
