// Connections that were refused, or that raised no event, and datagrams: one report a minute and source, the first at once.
import type { Limit } from '@rookery/kernel/limit.ts'
import type { Endpoint } from '../host-touch.ts'

/** Its descriptor is in packages/link/src/bird-logtypes.ts. */
export const SILENT_OR_REFUSED = '22003'

const WINDOW_MS = 60_000

export interface SilentConnection {
  readonly instance: string
  readonly src: Endpoint
  readonly dst: Endpoint
  readonly isRefused: boolean
}

export interface SilentReport {
  /** The first one of the report. */
  readonly connection: SilentConnection
  readonly services: readonly string[]
  /** Silent and refused ones. */
  readonly count: number
  readonly refused: number
}

interface Window {
  readonly endsAt: number
  /** Not reported yet. */
  readonly connections: { readonly first: SilentConnection; readonly services: Set<string> } | undefined
  readonly count: number
  readonly refused: number
}

export function silentSources(sources: Limit) {
  // In the order of their end: each window begins when it is added, and all are equally long.
  const windows = new Map<string, Window>()

  const open = (source: string, nowMs: number): void => {
    windows.delete(source)
    windows.set(source, { endsAt: nowMs + WINDOW_MS, connections: undefined, count: 0, refused: 0 })
  }

  /** The window that ends first leaves, with its report. */
  function evict(): readonly SilentReport[] {
    const [oldest] = windows
    if (!oldest || windows.size < sources.max) return []
    sources.hit()
    windows.delete(oldest[0])
    return reportOf(oldest[1])
  }

  function due(nowMs: number): readonly SilentReport[] {
    const reports: SilentReport[] = []
    for (const [source, window] of windows) {
      if (window.endsAt > nowMs) break
      if (window.count > 0) open(source, nowMs)
      else windows.delete(source)
      reports.push(...reportOf(window))
    }
    return reports
  }

  return {
    /** Counts a connection of this source; answers the reports that are due now. */
    add(source: string, connection: SilentConnection, nowMs: number): readonly SilentReport[] {
      const before = due(nowMs)
      const window = windows.get(source)
      const { instance, isRefused } = connection
      const refused = isRefused ? 1 : 0
      if (!window) {
        const evicted = evict()
        open(source, nowMs)
        return [...before, ...evicted, { connection, services: [instance], count: 1, refused }]
      }
      const connections = window.connections ?? { first: connection, services: new Set<string>() }
      connections.services.add(instance)
      windows.set(source, {
        endsAt: window.endsAt,
        connections,
        count: window.count + 1,
        refused: window.refused + refused,
      })
      return before
    },
    /** Whether a connection of this source would only be counted: its report was a moment ago. */
    isCounting: (source: string) => windows.has(source),
    /** The reports that became due by the time. */
    due,
    /** When `due` should be asked next. */
    nextAt: (): number | undefined => windows.values().next().value?.endsAt,
    /** Everything that is not reported yet. */
    flush(): readonly SilentReport[] {
      const reports = [...windows.values()].flatMap(reportOf)
      windows.clear()
      return reports
    },
  }
}

function reportOf({ connections, count, refused }: Window): readonly SilentReport[] {
  if (!connections) return []
  return [{ connection: connections.first, services: [...connections.services], count, refused }]
}
