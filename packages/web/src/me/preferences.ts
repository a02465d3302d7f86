// What somebody chose for themselves, kept in this browser; every part that shows it follows at once, in other tabs as well.
import { useSyncExternalStore } from 'react'

/** `own` is the time zone of the browser. */
export type Zone = 'own' | 'UTC'

const KEY = 'rookery.zone'
const listeners = new Set<() => void>()
/** For browsers that refuse storage: the choice lasts as long as the page. */
let inMemory: Zone = 'own'

function chosenZone(): Zone {
  try {
    return localStorage.getItem(KEY) === 'UTC' ? 'UTC' : 'own'
  } catch {
    return inMemory
  }
}

export function chooseZone(zone: Zone): void {
  inMemory = zone
  try {
    localStorage.setItem(KEY, zone)
  } catch {
    // In memory alone.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

export const useZone = (): Zone => useSyncExternalStore(subscribe, chosenZone)
