// The console's own settings: named texts with defaults, every query on their table.
import type { Query, Tx } from '../../db/query.ts'

const DEFAULTS = {
  api_enabled: 'true',
  ip_ignore_enabled: 'true',
  hostname_ignore_enabled: 'true',
  src_port_ignore_enabled: 'true',
  annotation_ignore_enabled: 'true',
  webhooks_enabled: 'true',
  assetinv_enabled: 'false',
  /** Whether changed settings of Flocks, and of Birds, raise alerts; a Flock may override both. */
  flock_settings_alerts: 'false',
  device_settings_alerts: 'false',
  /** Whether Birds are updated without a person. */
  automatic_updates: 'true',
  /** The tag of the release whose run a failure has stopped; empty: none. */
  automatic_updates_stopped: '',
  /** When people last let it go on, milliseconds: what failed before does not count. */
  automatic_updates_since: '0',
  /** Silence after which a Bird counts as offline, in seconds. */
  bird_silence_s: '120',
  second_factor_required: 'false',
  idle_minutes: '720',
  longest_hours: '168',
  /** Days after which incidents that are done with, and deliveries, are removed; 0 keeps them. A Flock may override both. */
  incident_days: '0',
  delivery_days: '90',
} as const

export type SettingName = keyof typeof DEFAULTS

export type ConsoleSettings = Readonly<Record<SettingName, string>>

export async function readSettings(db: Query): Promise<ConsoleSettings> {
  const rows = await db.selectFrom('console_setting').selectAll().execute()
  return { ...DEFAULTS, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
}

/** Sets one setting; every console clears its caches. */
export async function writeSetting(tx: Tx, name: SettingName, value: string): Promise<void> {
  await tx.insertMany('console_setting', [{ name, value }], { key: ['name'], then: 'replace' })
  await tx.configChanged()
}
