// The Flock of an audit row, by the parameters of the call; looked up before the change, which may delete it.
import type { Tx } from '../../db/query.ts'
import type { IncidentNames } from '../../secrets/incident-name.ts'
import { findBird } from '../birds/store.ts'
import { findFlock } from '../flocks/store.ts'
import { findIncident } from '../incidents/one.store.ts'
import { findToken } from '../tokens/store.ts'

/** Empty texts where a call concerns no Flock, or several. */
export interface EntryFlock {
  readonly flockId: string
  readonly flockName: string
}

const NONE: EntryFlock = { flockId: '', flockName: '' }

export async function findEntryFlock(
  tx: Tx,
  names: IncidentNames,
  params: Readonly<Record<string, unknown>>,
): Promise<EntryFlock> {
  const text = (name: string): string | undefined => {
    const value = params[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const flockId = text('flock_id') ?? (await flockOf())
  if (flockId === undefined || flockId === '') return NONE
  const flock = await findFlock(tx.query, 'all', flockId)
  return flock ? { flockId, flockName: flock.name } : NONE

  async function flockOf(): Promise<string | undefined> {
    const [node, token, incident] = [text('node_id'), text('decoytoken'), text('incident')]
    if (node !== undefined) {
      const bird = await findBird(tx.query, 'all', node)
      return (bird ?? (await findToken(tx.query, 'all', node)))?.flock_id
    }
    if (token !== undefined) return (await findToken(tx.query, 'all', token))?.flock_id
    if (incident !== undefined)
      return (await findIncident(tx.query, names, 'all', { key: incident }))?.flock_id
    return undefined
  }
}
