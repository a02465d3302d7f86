// Two Birds that see one source try the same port within an hour: one more incident, of the console (5007).
import { DEFAULT_FLOCK } from '@rookery/kernel/ids.ts'
import type { Touch } from '@rookery/kernel/touch.ts'
import type { Tx } from '../../../db/query.ts'
import { logtypeOf } from '../../../logtypes.ts'
import { sourceNetwork } from '../../../addresses/source-network.ts'
import { loadScans, storeScans, type BirdScan } from '../../../stores/scans/store.ts'
import type { Arrival } from '../../raise/arrival.ts'
import { commonPorts, portsOf, scanFields } from './common-ports.ts'

export const TOGETHER_MS = 3_600_000
const LOGTYPE = '5007'
/** Scans whose segments have SYN: `ports` names all that was tried so far. */
const SYN_SCANS: ReadonlySet<string> = new Set(['5001', '5003'])
const OS_SCAN = '5004'
/** One decoy was connected to, and nothing was tried: `dst_port` names it. */
const SILENT = '22003'

/** The incidents that these arrivals make together with earlier ones; remembers those that may make one later. */
export async function consolidateScans(tx: Tx, arrivals: readonly Arrival[]): Promise<Arrival[]> {
  const reports = arrivals.flatMap((arrival) => {
    const own = birdScan(arrival)
    return own ? [{ arrival, own }] : []
  })
  const [first] = reports
  if (!first) return []
  const sources = [...new Set(reports.map(({ own }) => own.source))]
  const known = new Map<string, BirdScan>()
  const keyOf = ({ source, node_id, probe }: BirdScan): string => `${source} ${node_id} ${probe}`
  for (const scan of await loadScans(tx, sources, first.arrival.receivedAt - TOGETHER_MS))
    known.set(keyOf(scan), scan)

  const seen = new Map<string, BirdScan>()
  const consolidated: Arrival[] = []
  for (const { arrival, own } of reports) {
    const ofSource = [...known.values()].filter(({ source }) => source === own.source)
    const before = ofSource.filter(({ node_id }) => node_id === own.node_id)
    const others = ofSource.filter(({ node_id }) => node_id !== own.node_id)
    known.set(keyOf(own), own)
    seen.set(keyOf(own), own)
    const common = commonPorts(own, others)
    const reported = new Set(before.flatMap(({ ports }) => ports.split(',')))
    if ([...common.keys()].every((port) => reported.has(port))) continue
    const sharing = others.filter(({ ports }) => ports.split(',').some((port) => common.has(port)))
    consolidated.push(consolidatedArrival(arrival, common, [own, ...sharing]))
  }
  await storeScans(tx, [...seen.values()])
  return consolidated
}

/** What the touch says of ports that were tried by SYN; undefined if nothing. */
function birdScan({ touch, subject, receivedAt }: Arrival): BirdScan | undefined {
  const tried = triedPorts(touch)
  return (
    tried && {
      ...tried,
      source: sourceNetwork(touch.srcHost),
      node_id: touch.nodeId,
      flock_id: subject.flockId,
      ip_address: touch.dstHost || subject.ipAddress,
      seen_at: receivedAt,
    }
  )
}

function triedPorts({ logtype, fields, dstPort }: Touch): Pick<BirdScan, 'probe' | 'ports'> | undefined {
  if (logtype === SILENT)
    return dstPort < 0 ? undefined : { probe: `connect ${dstPort}`, ports: String(dstPort) }
  const probe = SYN_SCANS.has(logtype) ? 'syn' : logtype === OS_SCAN ? 'os' : undefined
  const ports = probe && portsOf(fields['ports'])
  return probe && ports ? { probe, ports } : undefined
}

/** It belongs to the Flock of the Birds, and to the default one where they have several. */
function consolidatedArrival(
  { touch, subject, receivedAt, late }: Arrival,
  common: ReadonlyMap<string, readonly string[]>,
  scans: readonly BirdScan[],
): Arrival {
  const [flock = DEFAULT_FLOCK, ...more] = new Set(scans.map(({ flock_id }) => flock_id))
  const [port] = common.keys()
  const flockId = more.length === 0 ? flock : DEFAULT_FLOCK
  return {
    logtype: logtypeOf(LOGTYPE),
    receivedAt,
    late,
    subject: {
      flockId,
      name: 'console',
      memo: null,
      ipAddress: '',
      ippers: '',
      macAddress: '',
      muted: subject.muted,
    },
    touch: {
      nodeId: 'console',
      logtype: LOGTYPE,
      // Each Flock has an incident of its own.
      instance: `portscan/${flockId}`,
      at: touch.at,
      srcHost: touch.srcHost,
      srcPort: -1,
      dstHost: '',
      dstPort: common.size === 1 ? Number(port) : -1,
      fields: scanFields(common),
    },
  }
}
