// Changed settings raise an incident in the transaction of the change: 23001 for the console (always), 23002 for a Bird,
// 23003 for a Flock (where these alerts are on before or after the change, so that switching them off raises one).
import type { SettingsOf } from '@rookery/contract/operation.ts'
import { bounded } from '@rookery/kernel/bound.ts'
import { DEFAULT_FLOCK } from '@rookery/kernel/ids.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Query, Tx } from '../../db/query.ts'
import { logtypeOf } from '../../logtypes.ts'
import { chosenBirds, MAX_BIRDS } from '../../stores/birds/chosen.store.ts'
import { findBird } from '../../stores/birds/store.ts'
import { findFlock } from '../../stores/flocks/store.ts'
import { readSettings } from '../../stores/settings/store.ts'
import type { Arrival, Subject } from '../raise/arrival.ts'
import type { NewIncident } from '../raise/plan.ts'
import { raise, type RaiseDeps } from '../raise/raise.ts'
import { difference } from './difference.ts'
import { settingsOf } from './snapshots.ts'

/** A change and its caller. */
export interface SettingsChange {
  /** Id of the key. */
  readonly by: string
  readonly address: string
  /** The message of the audit row. */
  readonly message: string
}

/** Called before the change; the answer, called after it in the same transaction, raises and answers the new incidents. */
export type SettingsWatch = (
  tx: Tx,
  of: SettingsOf,
  params: Readonly<Record<string, unknown>>,
) => Promise<(tx: Tx, change: SettingsChange) => Promise<readonly NewIncident[]>>

const LOGTYPES = { console: '23001', device: '23002', flock: '23003' } as const satisfies Record<
  SettingsOf,
  string
>
const SWITCHES = { device: 'device_settings_alerts', flock: 'flock_settings_alerts' } as const

type Snapshot = Awaited<ReturnType<typeof settingsOf>>

interface Watched {
  readonly nodeId: string
  readonly subject: Subject
}

export function openSettingsWatch({ raising, clock }: { raising: RaiseDeps; clock: Clock }): SettingsWatch {
  return async (tx, of, params) => {
    const seen: { id: string; watched: Watched; wasOn: boolean; before: Snapshot }[] = []
    for (const id of await idsOf(tx, of, params)) {
      const watched = await find(tx, of, id)
      const wasOn = await isAlerting(tx.query, of, watched.subject.flockId)
      seen.push({ id, watched, wasOn, before: await settingsOf(tx.query, of, id) })
    }
    return async (tx, { by, address, message }) => {
      const arrivals: Arrival[] = []
      for (const { id, watched, wasOn, before } of seen) {
        if (!wasOn && !(await isAlerting(tx.query, of, watched.subject.flockId))) continue
        const changes = difference(before, await settingsOf(tx.query, of, id))
        const settings = [`${message} By ${by}.`, ...changes].join('\n')
        arrivals.push(arrival(watched, of, address, settings, clock.now()))
      }
      return arrivals.length === 0 ? [] : raise(tx, arrivals, raising)
    }
  }
}

/** The Bird or Flock that is changed; of a change of several Birds (`devices/configure`) each of them. */
async function idsOf(tx: Tx, of: SettingsOf, params: Readonly<Record<string, unknown>>): Promise<string[]> {
  const { node_id, node_ids, flock_id } = params
  if (of !== 'device') return [String(flock_id ?? '')]
  if (node_id !== undefined) return [String(node_id)]
  const ids = await chosenBirds(tx.query, { nodeIds: node_ids, flockId: flock_id })
  // A change of more is refused.
  return ids.length > MAX_BIRDS ? [] : ids
}

async function find(tx: Tx, of: SettingsOf, id: string): Promise<Watched> {
  const bird = of === 'device' ? await findBird(tx.query, 'all', id) : undefined
  const flock = of === 'flock' ? await findFlock(tx.query, 'all', id) : undefined
  return {
    nodeId: of === 'console' ? 'console' : id,
    subject: {
      flockId: bird?.flock_id || flock?.flock_id || DEFAULT_FLOCK,
      name: bird?.name ?? flock?.name ?? 'console',
      memo: null,
      ipAddress: bird?.ip_address ?? '',
      ippers: bird?.ippers ?? '',
      macAddress: bird?.mac_address ?? '',
      muted: bird?.ignore_general === 1,
    },
  }
}

/** The Flock's own switch, or the console's where it follows. */
export async function isAlerting(db: Query, of: SettingsOf, flockId: string): Promise<boolean> {
  if (of === 'console') return true
  const mode = (await findFlock(db, 'all', flockId))?.[SWITCHES[of]] ?? 'global'
  return mode === 'global' ? (await readSettings(db))[SWITCHES[of]] === 'true' : mode === 'on'
}

function arrival(
  { nodeId, subject }: Watched,
  of: SettingsOf,
  address: string,
  settings: string,
  now: number,
): Arrival {
  const logtype = logtypeOf(LOGTYPES[of])
  return {
    logtype,
    receivedAt: now,
    late: false,
    subject,
    touch: {
      nodeId,
      logtype: logtype.logtype,
      instance: 'settings',
      at: now,
      srcHost: address,
      srcPort: -1,
      dstHost: subject.ipAddress,
      dstPort: -1,
      fields: bounded({ SETTINGS: settings }),
    },
  }
}
