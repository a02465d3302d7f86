// Which sources of a batch are new to the incidents that they share. Pure.
import { INCIDENT_SOURCES, type SourceRow, type StoredSources } from '../../stores/incidents/shared.store.ts'

export interface SourceRecorder {
  /** A touch of `srcHost` goes into the incident, which shows `incidentSource`. */
  add(incidentId: number, incidentSource: string, srcHost: string): void
  readonly added: readonly SourceRow[]
}

/** `stored` has every incident that was open before, with those of its stored sources that touch it now. */
export function sourceRecorder(stored: ReadonlyMap<number, StoredSources>): SourceRecorder {
  const incidents = new Map<number, { readonly known: Set<string>; count: number }>()
  const added: SourceRow[] = []

  function sourcesOf(incidentId: number): { readonly known: Set<string>; count: number } {
    const open = incidents.get(incidentId)
    if (open) return open
    const { known = new Set<string>(), count = 0 } = stored.get(incidentId) ?? {}
    const copied = { known: new Set(known), count }
    incidents.set(incidentId, copied)
    return copied
  }

  return {
    added,
    add(incident_id, incidentSource, src_host) {
      if (src_host === incidentSource) return
      const sources = sourcesOf(incident_id)
      if (sources.known.has(src_host)) return
      if (sources.count >= INCIDENT_SOURCES.max) return INCIDENT_SOURCES.hit()
      sources.known.add(src_host)
      added.push({ incident_id, nth: ++sources.count, src_host })
    },
  }
}
