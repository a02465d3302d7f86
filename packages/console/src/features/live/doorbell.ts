// Rings when an incident changed: one look at the database a quarter of a second serves all streams, also where another console
// made the change. It holds no row: who listens asks for what changed.
import type { AppContext } from '../../app-context.ts'
import type { Scope } from '../../db/query.ts'
import { changedFlocks } from '../../stores/incidents/changes.store.ts'
import { lastUpdatedId } from '../../stores/incidents/counts.store.ts'
import { liveKeys } from '../../stores/keys/store.ts'
import { liveSessions } from '../../stores/sessions/store.ts'
import { signInRules } from '../../stores/settings/sign-in.ts'
import { readSettings } from '../../stores/settings/store.ts'

export interface Listener {
  /** The Flocks in reach; those of a person are read anew with the session. */
  scope: Scope
  /** The session of a person. */
  readonly sessionId: string | undefined
  /** The key, where it is none. */
  readonly keyId: string
  readonly onChanged: (updatedId: number) => void
  readonly onSignedOut: () => void
}

export interface Doorbell {
  /** Rings for whatever is committed once `isListening` has resolved. */
  listen(listener: Listener): { readonly isListening: Promise<void>; readonly leave: () => void }
}

/** At most four rings a second. */
const LOOK_MS = 250
/** A person who is disabled or signed out leaves within a second, and so does a key that was deleted. */
const LOOKS_BETWEEN_SESSIONS = 3

export function openDoorbell({
  reader,
  config,
  world: { clock },
  log,
}: Pick<AppContext, 'reader' | 'config' | 'world' | 'log'>): Doorbell {
  const listeners = new Set<Listener>()
  let last: number | undefined
  let looks = 0
  /** The look under way, or the last one; undefined while nobody listens. */
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const now = await lastUpdatedId(reader)
    if (last !== undefined && now !== last) await ring(last, now)
    last = now
    if (looks++ % LOOKS_BETWEEN_SESSIONS === 0) await leaveSignedOut()
  }

  async function ring(before: number, now: number): Promise<void> {
    const hasLimited = [...listeners].some(({ scope }) => scope !== 'all')
    const byFlock = hasLimited ? await changedFlocks(reader, before) : new Map<string, number>()
    for (const { scope, onChanged } of [...listeners]) {
      const highest = scope === 'all' ? now : Math.max(0, ...scope.map((id) => byFlock.get(id) ?? 0))
      if (highest > 0) onChanged(highest)
    }
  }

  async function leaveSignedOut(): Promise<void> {
    const people = [...listeners].flatMap((it) => (it.sessionId === undefined ? [] : [it.sessionId]))
    const keys = [...listeners].flatMap((it) => (it.sessionId === undefined ? [it.keyId] : []))
    const now = clock.now()
    const rules = signInRules(await config.get('settings', readSettings))
    const [sessions, left] = await Promise.all([
      liveSessions(reader, [...new Set(people)], now, rules),
      liveKeys(reader, [...new Set(keys)], now),
    ])
    for (const listener of [...listeners]) {
      const { sessionId, keyId, scope, onSignedOut } = listener
      const now = sessionId === undefined ? (left.has(keyId) ? scope : undefined) : sessions.get(sessionId)
      if (now === undefined) onSignedOut()
      else listener.scope = now
    }
  }

  function lookAgain(): Promise<void> {
    looking = look()
      .catch((error: unknown) => log.debug({ err: error }, 'could not look for changes; looking again'))
      .then(() => {
        clock.after(LOOK_MS, () => {
          if (listeners.size > 0) return void lookAgain()
          looking = undefined
          last = undefined
        })
      })
    return looking
  }

  return {
    listen(listener) {
      listeners.add(listener)
      return {
        isListening: looking ?? lookAgain(),
        leave: () => void listeners.delete(listener),
      }
    },
  }
}
