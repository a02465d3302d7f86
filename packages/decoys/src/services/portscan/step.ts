// What one source does by one technique, from its first probe to the reports of a scan. Pure, but that a set of ports is taken
// over from the state before.
//
//   (nothing) ── SYN ──▶ watching ── 3 SYNs to closed ports in 60 s ──▶ touched (5001)
//       │                   │ 5 ports in 60 s, or 5 closed ones in 24 h       │ the same
//       │                   ▼                                                 ▼
//       └── other ──▶ scanning (5003, 5004, 5005, 5006, 5008) ◀───────────────┘
//
// `touched` and `scanning` are reported once `dueAt` has come, and then at most once a minute.
import type { Technique } from './codec.ts'
import { portSet, type PortSet } from './port-set.ts'

/** One try of a port. */
export interface Probe {
  readonly technique: Technique
  readonly port: number
  /** Something listens there: a decoy, or a service of the machine. */
  readonly isOpen: boolean
}

/** How many ports make a scan. A Bird that sees no closed ports counts decoys. */
export interface Thresholds {
  readonly ports: number
}

export type ScanLogtype = '5001' | '5003' | '5004' | '5005' | '5006' | '5008'

interface RecentPort {
  readonly port: number
  readonly isOpen: boolean
  readonly at: number
}

interface Recent {
  /** Each once; open ones of the last minute, closed ones of the last day. */
  readonly ports: readonly RecentPort[]
  /** When the last SYNs to closed ports came, at most three. */
  readonly closedAt: readonly number[]
}

interface ReportTimes {
  /** When the next report is due; undefined while there is nothing new. */
  readonly dueAt: number | undefined
  readonly reportedAt: number | undefined
}

export type ScanState =
  | { readonly name: 'watching'; readonly recent: Recent; readonly lastAt: number }
  | ({ readonly name: 'touched'; readonly recent: Recent; readonly lastAt: number } & ReportTimes)
  | ({
      readonly name: 'scanning'
      readonly logtype: ScanLogtype
      readonly ports: PortSet
      readonly lastAt: number
    } & ReportTimes)

export const WINDOW_MS = 60_000
export const FORGET_MS = 24 * 3_600_000
export const REPORT_EVERY_MS = 60_000
/** Most scans of a machine are over by then, so that the first report is whole. */
export const SETTLE_MS = 1_000
/** A few SYNs may be the start of a slow scan. */
export const TOUCH_SETTLE_MS = 10_000
const CLOSED_SYNS = 3
const CLOSED_PORTS = 5

const LOGTYPES: Readonly<Record<Technique, ScanLogtype>> = {
  syn: '5003',
  os: '5004',
  null: '5005',
  xmas: '5006',
  fin: '5008',
}

/** `before` must not be used again. */
export function step(
  before: ScanState | undefined,
  probe: Probe,
  now: number,
  thresholds: Thresholds,
): ScanState {
  const state = before && now - before.lastAt < FORGET_MS ? before : undefined
  if (state?.name === 'scanning') return continued(state, probe, now)
  if (probe.technique !== 'syn') return scanning(probe.technique, [probe.port], now)
  const recent = remember(state?.recent ?? { ports: [], closedAt: [] }, probe, now)
  if (isScan(recent, now, thresholds)) return scanning('syn', portsOf(recent.ports), now)
  if (state?.name === 'touched')
    return { ...state, recent, lastAt: now, dueAt: probe.isOpen ? state.dueAt : nextDue(state, now) }
  if (recent.closedAt.length < CLOSED_SYNS) return { name: 'watching', recent, lastAt: now }
  return { name: 'touched', recent, lastAt: now, dueAt: now + TOUCH_SETTLE_MS, reportedAt: undefined }
}

/** The ports to report now, and the state behind that; undefined when no report is due. */
export function report(
  state: ScanState,
  now: number,
):
  | { readonly state: ScanState; readonly logtype: ScanLogtype; readonly ports: readonly number[] }
  | undefined {
  if (state.name === 'watching' || state.dueAt === undefined || now < state.dueAt) return undefined
  const reported = { ...state, dueAt: undefined, reportedAt: now }
  if (state.name === 'scanning') return { state: reported, logtype: state.logtype, ports: state.ports.list() }
  const ports = portsOf(state.recent.ports.filter(({ isOpen }) => !isOpen))
  return { state: reported, logtype: '5001', ports: ports.sort((a, b) => a - b) }
}

const scanning = (technique: Technique, ports: readonly number[], now: number): ScanState => ({
  name: 'scanning',
  logtype: LOGTYPES[technique],
  ports: portSet(ports),
  lastAt: now,
  dueAt: now + SETTLE_MS,
  reportedAt: undefined,
})

/** A SYN to an open port that is known may be the use of what the scan has found, and is no news. */
function continued(state: ScanState & { name: 'scanning' }, probe: Probe, now: number): ScanState {
  const isNew = state.ports.add(probe.port)
  const isNews = isNew || probe.technique !== 'syn' || !probe.isOpen
  return { ...state, lastAt: now, dueAt: isNews ? nextDue(state, now) : state.dueAt }
}

const nextDue = ({ dueAt, reportedAt }: ReportTimes, now: number): number =>
  dueAt ?? Math.max(now + SETTLE_MS, (reportedAt ?? -Infinity) + REPORT_EVERY_MS)

function remember({ ports, closedAt }: Recent, { port, isOpen }: Probe, now: number): Recent {
  const since = (ms: number) => (at: number) => now - at < ms
  const isFresh = (it: RecentPort): boolean => since(it.isOpen ? WINDOW_MS : FORGET_MS)(it.at)
  return {
    ports: [...ports.filter((it) => it.port !== port && isFresh(it)), { port, isOpen, at: now }],
    closedAt: [...closedAt, ...(isOpen ? [] : [now])].filter(since(WINDOW_MS)).slice(-CLOSED_SYNS),
  }
}

const isScan = ({ ports }: Recent, now: number, thresholds: Thresholds): boolean =>
  ports.filter(({ at }) => now - at < WINDOW_MS).length >= thresholds.ports ||
  ports.filter(({ isOpen }) => !isOpen).length >= CLOSED_PORTS

const portsOf = (ports: readonly RecentPort[]): number[] => ports.map(({ port }) => port)
