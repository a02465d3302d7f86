// Rings when an incident changed: one look at the database a quarter of a second serves all streams, also where another console
// made the change. It holds no row: who listens asks for what changed.
import type { AppContext } from '../../app-context.ts'
import { lastUpdatedId } from '../../stores/incidents/counts.store.ts'
import { liveSessions } from '../../stores/sessions/store.ts'

export interface Listener {
  /** The session of a person; undefined for a key. */
  readonly sessionId: string | undefined
  readonly onChanged: (updatedId: number) => void
  readonly onSignedOut: () => void
}

export interface Doorbell {
  /** Answers how to stop listening. */
  listen(listener: Listener): () => void
}

/** At most four rings a second. */
const LOOK_MS = 250
/** A person who is disabled or signed out leaves within a second. */
const LOOKS_BETWEEN_SESSIONS = 3

export function openDoorbell({
  reader,
  world: { clock },
  log,
}: Pick<AppContext, 'reader' | 'world' | 'log'>): Doorbell {
  const listeners = new Set<Listener>()
  let last: number | undefined
  let looks = 0
  let isLooking = false

  async function look(): Promise<void> {
    const now = await lastUpdatedId(reader)
    const hasRung = last !== undefined && now !== last
    last = now
    if (hasRung) for (const { onChanged } of listeners) onChanged(now)
    if (looks++ % LOOKS_BETWEEN_SESSIONS === 0) await leaveSignedOut()
  }

  async function leaveSignedOut(): Promise<void> {
    const people = [...listeners].flatMap((it) => (it.sessionId === undefined ? [] : [it.sessionId]))
    if (people.length === 0) return
    const live = await liveSessions(reader, [...new Set(people)], clock.now())
    for (const { sessionId, onSignedOut } of [...listeners])
      if (sessionId !== undefined && !live.has(sessionId)) onSignedOut()
  }

  function lookAgain(): void {
    if (listeners.size === 0) {
      isLooking = false
      last = undefined
      return
    }
    isLooking = true
    look()
      .catch((error: unknown) => log.debug({ err: error }, 'could not look for changes; looking again'))
      .finally(() => clock.after(LOOK_MS, lookAgain))
  }

  return {
    listen(listener) {
      listeners.add(listener)
      if (!isLooking) lookAgain()
      return () => void listeners.delete(listener)
    },
  }
}
