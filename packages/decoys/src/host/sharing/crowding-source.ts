// A source that holds at least half of what there is, and which of its connections would be missed least.

/** Of a connection, as it is now. */
export interface Activity {
  /** By any clock that never goes back. */
  readonly lastActivityAt: number
  /** An answer waits: to be computed, for its time or its turn, or for the peer to read what came before. */
  readonly isDelayed: boolean
  readonly isBlocked: boolean
  readonly isQueued: boolean
  readonly isSharing: boolean
}

interface Crowded {
  readonly connections: { readonly size: number }
  readonly bySource: ReadonlyMap<string, { readonly open: number }>
}

/** The source with most connections to these ports together, if it has several, at least half of all, and more than the newcomer's. */
export function busiestSource(ports: readonly Crowded[], newcomer: string): string | undefined {
  const counts = new Map<string, number>()
  let total = 0
  for (const { connections, bySource } of ports) {
    total += connections.size
    for (const [source, { open }] of bySource) counts.set(source, (counts.get(source) ?? 0) + open)
  }
  let found: string | undefined
  let most = Math.max(1, counts.get(newcomer) ?? 0)
  for (const [source, count] of counts)
    if (count > most && count * 2 >= total) [found, most] = [source, count]
  return found
}

const isBusy = (activity: Activity | undefined): boolean =>
  activity !== undefined &&
  (activity.isDelayed || activity.isBlocked || activity.isQueued || activity.isSharing)

/** One with nothing outstanding before any other, and then the one that has been idle for longest. */
export function firstIdle<T extends { readonly activity: Activity | undefined }>(
  candidates: readonly T[],
): T | undefined {
  let found: T | undefined
  for (const candidate of candidates) if (!found || leavesBefore(candidate, found)) found = candidate
  return found
}

interface Candidate {
  readonly activity: Activity | undefined
}

function leavesBefore({ activity: one }: Candidate, { activity: other }: Candidate): boolean {
  if (isBusy(one) !== isBusy(other)) return isBusy(other)
  return (one?.lastActivityAt ?? 0) < (other?.lastActivityAt ?? 0)
}
