// Every page of the shell, with things to act on: planted anew whenever they may be gone.
import type { StandIn } from '@rookery/contract/examples.ts'
import { plantAgain, type Seed } from '@rookery/console/test/seed.ts'
import type { TestConsole } from '@rookery/console/test/test-console.ts'

const THINGS: readonly StandIn[] = [
  'node_id',
  'connected_node_id',
  'pending_node_id',
  'updatable_node_id',
  'update_tag',
  'incident',
  'acknowledged_incident',
  'decoytoken',
  'site_token',
  'provider_token',
  'file_token',
  'flock_user_email',
  'enrolment_id',
  'key_id',
  'flock_id',
  'image_version',
  'delivery_id',
  'syslog_id',
]

export type World = Partial<Seed> & { readonly hash?: string }

export const PAGES: readonly (readonly [name: string, path: (world: World) => string])[] = [
  ['inbox', () => '/'],
  ['acknowledged', () => '/incidents?state=acknowledged'],
  ['peek', ({ hash }) => `/?peek=${hash}`],
  ['incident', ({ hash }) => `/incidents/${hash}`],
  ['overview', () => '/overview'],
  ['report', () => '/overview?from=2026-01-01-00:00:00&to=2026-02-01-00:00:00'],
  ['source', () => '/sources/192.0.2.7'],
  ['birds', () => '/birds'],
  ['pending', () => '/birds/pending'],
  ['new-bird', () => '/birds/new'],
  ['updates', () => '/birds/updates'],
  ['bird', ({ node_id }) => `/birds/${node_id}`],
  ['services', ({ node_id }) => `/birds/${node_id}/services`],
  ['bird-incidents', ({ node_id }) => `/birds/${node_id}/incidents`],
  ['files', ({ connected_node_id }) => `/birds/${connected_node_id}/files`],
  ['flocks', () => '/flocks'],
  ['flock', () => '/flocks/flock:default'],
  ['new-flock', ({ flock_id }) => `/flocks/${flock_id}`],
  ['tokens', () => '/tokens'],
  ['gallery', () => '/tokens/new'],
  ['new-token', () => '/tokens/new/cloned-web'],
  ['import', () => '/tokens/import'],
  ['factories', () => '/tokens/factories'],
  ['token', ({ decoytoken }) => `/tokens/${decoytoken}`],
  ['history', ({ site_token }) => `/tokens/${site_token}/history`],
  ['token-settings', ({ site_token }) => `/tokens/${site_token}/settings`],
  ['provider-token', ({ provider_token }) => `/tokens/${provider_token}/settings`],
  ['file-token', ({ file_token }) => `/tokens/${file_token}`],
  ['receivers', () => '/alerts/receivers'],
  ['new-receiver', () => '/alerts/receivers/new'],
  ['webhook', () => '/alerts/receivers/new?kind=generic'],
  ['deliveries', () => '/alerts/deliveries'],
  ['delivery', ({ delivery_id }) => `/alerts/deliveries?open=${delivery_id}`],
  ['ignore', () => '/ignore'],
  ['people', () => '/people'],
  ['keys', () => '/keys'],
  ['audit', () => '/audit'],
  ['settings', () => '/settings'],
  ['general', () => '/settings/general'],
  ['sign-in', () => '/settings/sign-in'],
  ['integrations', () => '/settings/integrations'],
  ['about', () => '/settings/about'],
  ['profile', () => '/me/profile'],
  ['security', () => '/me/security'],
]

/** One more of each thing. */
export async function plantWorld(rookery: TestConsole): Promise<World> {
  const world = await plantAgain(rookery, {}, THINGS)
  const { rows } = await rookery.api.incidentViews.rows({})
  return { ...world, ...(rows[0] && { hash: rows[0].hash_id }) }
}
