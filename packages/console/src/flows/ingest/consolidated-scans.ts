// Two Birds that see one source try the same port within an hour: one more incident, of the console (5007).
import { DEFAULT_FLOCK } from '@rookery/kernel/ids.ts'
import type { Tx } from '../../db/query.ts'
import { logtypeOf } from '../../logtypes.ts'
import { sourceNetwork } from '../../net/source-network.ts'
import { loadScans, storeScans, type BirdScan } from '../../stores/scans/store.ts'
import type { Arrival } from '../raise/arrival.ts'
import { commonPorts, portsOf, scanFields } from './common-ports.ts'

export const TOGETHER_MS = 3_600_000
const LOGTYPE = '5007'
/** Scans by SYN: `ports` names what was tried. */
const SYN_SCANS: ReadonlySet<string> = new Set(['5001', '5003'])

/** The incidents that these arrivals make together with earlier ones; remembers those that may make one later. */
export async function consolidateScans(tx: Tx, arrivals: readonly Arrival[]): Promise<Arrival[]> {
  const scans = arrivals.filter(({ touch }) => SYN_SCANS.has(touch.logtype))
  const [first] = scans
  if (!first) return []
  const sources = [...new Set(scans.map(({ touch }) => sourceNetwork(touch.srcHost)))]
  const known = new Map<string, BirdScan>()
  const keyOf = ({ source, node_id }: BirdScan): string => `${source} ${node_id}`
  for (const scan of await loadScans(tx, sources, first.receivedAt - TOGETHER_MS))
    known.set(keyOf(scan), scan)

  const seen = new Map<string, BirdScan>()
  const consolidated: Arrival[] = []
  for (const arrival of scans) {
    const own = birdScan(arrival)
    if (own.ports === '') continue
    const before = known.get(keyOf(own))
    const others = [...known.values()].filter(
      ({ source, node_id }) => source === own.source && node_id !== own.node_id,
    )
    known.set(keyOf(own), own)
    seen.set(keyOf(own), own)
    const common = commonPorts(own, others)
    const reported = new Set(before?.ports.split(','))
    if ([...common.keys()].some((port) => !reported.has(port)))
      consolidated.push(consolidatedArrival(arrival, common, [own, ...others]))
  }
  await storeScans(tx, [...seen.values()])
  return consolidated
}

const birdScan = ({ touch, subject, receivedAt }: Arrival): BirdScan => ({
  source: sourceNetwork(touch.srcHost),
  node_id: touch.nodeId,
  flock_id: subject.flockId,
  ip_address: touch.dstHost || subject.ipAddress,
  ports: portsOf(touch.fields['ports']),
  seen_at: receivedAt,
})

/** It belongs to the Flock of the Birds, and to the default one where they have several. */
function consolidatedArrival(
  { touch, subject, receivedAt, late }: Arrival,
  common: ReadonlyMap<string, readonly string[]>,
  scans: readonly BirdScan[],
): Arrival {
  const [flock = DEFAULT_FLOCK, ...more] = new Set(scans.map(({ flock_id }) => flock_id))
  const [port] = common.keys()
  return {
    logtype: logtypeOf(LOGTYPE),
    receivedAt,
    late,
    subject: {
      flockId: more.length === 0 ? flock : DEFAULT_FLOCK,
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
      instance: 'portscan',
      at: touch.at,
      srcHost: touch.srcHost,
      srcPort: -1,
      dstHost: '',
      dstPort: common.size === 1 ? Number(port) : -1,
      fields: scanFields(common),
    },
  }
}
