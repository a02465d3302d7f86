// Rings when an incident changed, or somebody changed anything: one look at the database a quarter of a second serves all streams, also where another console
// made the change. It holds no row: who listens asks for what changed.
import type { AppContext } from '../../app-context.ts'
import type { Scope } from '../../db/query.ts'
import { lastChange, lastChanges } from '../../stores/audit/changes.store.ts'
import { changedFlocks } from '../../stores/incidents/changes.store.ts'
import { lastUpdatedId } from '../../stores/incidents/counts.store.ts'
import { liveKeys } from '../../stores/keys/store.ts'
import { liveSessions } from '../../stores/sessions/store.ts'
import { signInRules } from '../../stores/settings/sign-in.ts'
import { readSettings } from '../../stores/settings/store.ts'

/** What changed in reach: the highest `updated_id` of incidents, the last row of the audit trail. */
export interface Rung {
  readonly incidents?: number
  readonly changes?: number
}

export interface Listener {
  /** The Flocks in reach; those of a person are read anew with the session. */
  scope: Scope
  /** The session of a person. */
  readonly sessionId: string | undefined
  /** The key, where it is none. */
  readonly keyId: string
  readonly onChanged: (rung: Rung) => void
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
  let last: Required<Rung> | undefined
  let looks = 0
  /** The look under way, or the last one; undefined while nobody listens. */
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const [incidents, changes] = await Promise.all([lastUpdatedId(reader), lastChange(reader)])
    const now = { incidents, changes }
    if (last !== undefined) await ring(last, now)
    last = now
    if (looks++ % LOOKS_BETWEEN_SESSIONS === 0) await leaveSignedOut()
  }

  async function ring(before: Required<Rung>, now: Required<Rung>): Promise<void> {
    const hasLimited = [...listeners].some(({ scope }) => scope !== 'all')
    const nothing = new Map<string, number>()
    const isNew = { incidents: now.incidents !== before.incidents, changes: now.changes !== before.changes }
    const incidents = hasLimited && isNew.incidents ? await changedFlocks(reader, before.incidents) : nothing
    const changes = hasLimited && isNew.changes ? await lastChanges(reader, before.changes) : nothing
    for (const { scope, onChanged } of [...listeners]) {
      const highest = (is: boolean, all: number, byFlock: ReadonlyMap<string, number>) =>
        !is ? 0 : scope === 'all' ? all : Math.max(0, ...scope.map((id) => byFlock.get(id) ?? 0))
      const updatedId = highest(isNew.incidents, now.incidents, incidents)
      const change = highest(isNew.changes, now.changes, changes)
      if (updatedId + change > 0)
        onChanged({ ...(updatedId > 0 && { incidents: updatedId }), ...(change > 0 && { changes: change }) })
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
        leave: () => listeners.delete(listener),
      }
    },
  }
}
