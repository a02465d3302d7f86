// The scans of all sources: which are watched, which are due to be reported. Bounded, however many sources somebody invents.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import { sourceOf } from '../../host/source.ts'
import { report, step, type Probe, type ScanLogtype, type ScanState, type Thresholds } from './step.ts'

/** What is known of a probe besides its port: a packet's headers, or a connection's addresses. */
export interface ScanReport<Sample> {
  readonly logtype: ScanLogtype
  /** All that the source has tried so far, rising. */
  readonly ports: readonly number[]
  /** The last probe of the scan. */
  readonly sample: Sample
}

interface Scan<Sample> {
  readonly state: ScanState
  readonly sample: Sample
}

/** Sources that are watched. */
const SOURCES = limit('portscan_sources', 10_000)
/** Apart from the sources that are only watched: forged ones cannot push a scan out. */
const SCANS = limit('portscan_scans', 2_048)
/** Networks whose new sources are counted. */
const NETWORKS = limit('portscan_networks', 16_384)
/** New sources of a /24 (IPv6: a /48) in a minute. */
const NEW_SOURCES = limit('portscan_new_sources_per_network', 256)
const MINUTE_MS = 60_000
/** Beyond `NEW_SOURCES`, so many packets bring one more source in: one that goes on is noticed all the same. */
const SAMPLED = 16

export function scanWindow<Sample>(thresholds: Thresholds) {
  /** Keys with a report that is due at that time. */
  const waiting = new Map<string, number>()
  const evicted: ScanReport<Sample>[] = []
  const watched = boundedMap<string, Scan<Sample>>(SOURCES)
  const scans = boundedMap<string, Scan<Sample>>(SCANS, (key, { state, sample }) => {
    // Its report must not be lost with it.
    if (waiting.delete(key)) evicted.push(...reportOf(state, sample, Infinity))
  })
  const newcomers = windowCounter<string>(NETWORKS, MINUTE_MS)

  function admits(source: string, now: number): boolean {
    const count = newcomers.count(networkOf(source), now)
    if (count <= NEW_SOURCES.max) return true
    NEW_SOURCES.hit()
    return count % SAMPLED === 0
  }

  function store(key: string, scan: Scan<Sample>): void {
    const { state } = scan
    if (state.name === 'watching') return watched.set(key, scan)
    watched.delete(key)
    scans.set(key, scan)
    if (state.dueAt === undefined) waiting.delete(key)
    else waiting.set(key, state.dueAt)
  }

  return {
    /** Counts a probe of the address. */
    add(address: string, probe: Probe, sample: Sample, now: number) {
      const source = sourceOf(address)
      const key = `${probe.technique} ${source}`
      const known = scans.get(key) ?? watched.get(key)
      if (!known && !admits(source, now)) return
      store(key, { state: step(known?.state, probe, now, thresholds), sample })
    },
    /** The reports that are due. */
    due(now: number): readonly ScanReport<Sample>[] {
      const reports = evicted.splice(0)
      for (const [key, dueAt] of waiting) {
        const scan = scans.peek(key)
        if (dueAt > now || !scan) continue
        const made = report(scan.state, now)
        if (!made) continue
        store(key, { state: made.state, sample: scan.sample })
        reports.push({ logtype: made.logtype, ports: made.ports, sample: scan.sample })
      }
      return reports
    },
    /** When `due` should be asked next; undefined while nothing waits. */
    nextAt: (): number | undefined =>
      evicted.length > 0 ? -Infinity : waiting.size > 0 ? Math.min(...waiting.values()) : undefined,
  }
}

function reportOf<Sample>(state: ScanState, sample: Sample, now: number): ScanReport<Sample>[] {
  const made = report(state, now)
  return made ? [{ logtype: made.logtype, ports: made.ports, sample }] : []
}

/** The /24 of an IPv4 address, the /48 of an IPv6 source. */
const networkOf = (source: string): string =>
  source.includes(':') ? source.split(':').slice(0, 3).join(':') : source.slice(0, source.lastIndexOf('.'))
