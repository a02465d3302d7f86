// Settings by name, read before and after a change, so that its incident shows old and new values.
// A store with settings in a table of its own is read here.
import type { SettingsOf } from '@rookery/contract/operation.ts'
import type { Query } from '../../db/query.ts'
import { recipientLists } from '../../notify/recipient-lists.ts'
import { findBird } from '../../stores/birds/store.ts'
import { findFlock } from '../../stores/flocks/store.ts'
import { CONSOLE, readFlockIgnore, readLines } from '../../stores/ignore/store.ts'
import { listKeys } from '../../stores/keys/store.ts'
import { readList } from '../../stores/notifications/store.ts'
import { readSettings } from '../../stores/settings/store.ts'
import { listRoles, listUsers } from '../../stores/users/store.ts'
import { listReceivers } from '../../stores/webhooks/store.ts'

/** Lists are compared entry by entry. */
export type Snapshot = Readonly<Record<string, string | number | readonly string[]>>

/** `id` is the Flock's or the Bird's; one that does not exist has no settings. */
export function settingsOf(db: Query, of: SettingsOf, id: string): Promise<Snapshot> {
  if (of === 'console') return consoleSettings(db)
  return of === 'flock' ? flockSettings(db, id) : birdSettings(db, id)
}

async function consoleSettings(db: Query): Promise<Snapshot> {
  const keys = await listKeys(db, ['indicators', 'read-only', 'analyst', 'admin'])
  const users = await listUsers(db)
  return {
    ...(await readSettings(db)),
    ...(await notifications(db, CONSOLE)),
    ignored_ips: await readLines(db, 'ip', CONSOLE),
    ignored_host_names: await readLines(db, 'hostname', CONSOLE),
    ignored_port_scanners: await readLines(db, 'src_port', CONSOLE),
    ignored_annotations: await readLines(db, 'annotation', CONSOLE),
    users: users.map(({ email, access_level, disabled }) =>
      [email, access_level, disabled === 1 ? 'disabled' : ''].filter(Boolean).join(' '),
    ),
    api_keys: keys.map(({ key_id, type, allowed_ip_ranges }) =>
      [key_id, type, allowed_ip_ranges].filter(Boolean).join(' '),
    ),
  }
}

async function flockSettings(db: Query, flockId: string): Promise<Snapshot> {
  const flock = await findFlock(db, 'all', flockId)
  if (!flock) return {}
  const { flock_id: _id, created_at: _at, incident_days, delivery_days, ...settings } = flock
  const receivers = await listReceivers(db, flockId)
  const { mode, inherits } = await readFlockIgnore(db, flockId)
  return {
    ...settings,
    incident_days: incident_days ?? 'as the console',
    delivery_days: delivery_days ?? 'as the console',
    ...(await notifications(db, flockId)),
    ignored_ips: await readLines(db, 'ip', flockId),
    ignored_ips_mode: mode,
    ignored_ips_inherit: inherits,
    receivers: receivers.map(({ kind, host }) => `${kind} ${host}`),
    users: await rolesIn(db, flockId),
  }
}

async function rolesIn(db: Query, flockId: string): Promise<string[]> {
  const emails = new Map((await listUsers(db)).map(({ user_id, email }) => [user_id, email]))
  const roles = (await listRoles(db)).filter((it) => it.flock_id === flockId)
  return roles.map(({ user_id, role }) => `${emails.get(user_id) ?? user_id} ${role}`)
}

/** The recipients of each list, and whether it is enabled. */
async function notifications(db: Query, owner: string): Promise<Snapshot> {
  const snapshot: Record<string, Snapshot[string]> = {}
  for (const { list } of recipientLists) {
    const { recipients, enabled } = await readList(db, owner, list)
    snapshot[list] = recipients
    snapshot[`${list}_enabled`] = enabled ? 'true' : 'false'
  }
  return snapshot
}

async function birdSettings(db: Query, nodeId: string): Promise<Snapshot> {
  const bird = await findBird(db, 'all', nodeId)
  if (!bird) return {}
  const { flock_id, name, description, location, note } = bird
  const { ignore_general, ignore_disconnect, ignore_reconnect } = bird
  const own = Object.entries(JSON.parse(bird.settings || '{}') as Record<string, unknown>)
  return {
    flock_id,
    name,
    description,
    location,
    note,
    ignore_general,
    ignore_disconnect,
    ignore_reconnect,
    ...Object.fromEntries(
      own.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  }
}
