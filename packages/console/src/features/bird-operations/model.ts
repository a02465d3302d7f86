// The requests that describe a Bird, as columns of its row.
import type { birdOperations } from '@rookery/contract/groups/bird-operations.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { checkSettings } from '@rookery/decoys/settings/settings.ts'
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { settingsOf, type Settings } from '../../stores/birds/settings.ts'
import type { BirdRow } from '../../stores/birds/store.ts'

type Description = Partial<Omit<Params<typeof birdOperations.describe>, 'node_id' | 'story'>>

const CLOUD = ['cloud_project', 'cloud_zone', 'instance_id', 'region_id', 'subnet'] as const

/** Throws `bad-input` when no field is given, or the name is blank or not one line. */
export function descriptionColumns(given: Description, bird: BirdRow): Partial<BirdRow> {
  if (Object.keys(given).length === 0) throw NOTHING_GIVEN
  const { name, description, location, note } = given
  const cloud = Object.fromEntries(
    CLOUD.flatMap((field) => (given[field] === undefined ? [] : [[field, given[field].trim()]])),
  )
  const environment = { ...(JSON.parse(bird.environment) as Record<string, string>), ...cloud }
  return {
    ...(name !== undefined && { name: singleLineName(name) }),
    ...(description !== undefined && { description: description.trim() }),
    ...(location !== undefined && { location: location.trim() }),
    ...(note !== undefined && { note: note.trim() === '' ? '' : note }),
    ...(Object.keys(cloud).length > 0 && { environment: JSON.stringify(environment) }),
  }
}

/** Which of its alerts are not sent. Throws `bad-input` when no flag is given. */
export function notificationColumns(
  flags: Partial<Params<typeof birdOperations.notifications>>,
): Partial<BirdRow> {
  const {
    ignore_notifications_general: general,
    ignore_notifications_disconnect: disconnect,
    ignore_notifications_reconnect: reconnect,
  } = flags
  const columns = {
    ...(general !== undefined && { ignore_general: Number(general) }),
    ...(disconnect !== undefined && { ignore_disconnect: Number(disconnect) }),
    ...(reconnect !== undefined && { ignore_reconnect: Number(reconnect) }),
  }
  if (Object.keys(columns).length === 0) throw NOTHING_GIVEN
  return columns
}

/**
 * The Bird's settings with this name and description, and with `inStory` a machine of this name; undefined when the present
 * ones have them.
 */
export function renamedSettings(
  { name, description }: Partial<BirdRow>,
  bird: BirdRow,
  inStory: boolean,
): Settings | undefined {
  const settings = settingsOf(bird)
  const named = {
    'device.name': name ?? settings['device.name'],
    'device.desc': description ?? settings['device.desc'],
    ...(inStory && { 'device.host_name': hostName(name) }),
  }
  const isSame = Object.entries(named).every(([key, value]) => settings[key] === value)
  return isSame ? undefined : { ...settings, ...named }
}

/** A machine has a host name: the names that people give may be sentences. */
function hostName(name: string | undefined): string {
  const problems = checkSettings([], { 'device.host_name': name })
  if (name !== undefined && problems['device.host_name'] === undefined) return name
  throw invalidParameter(
    'name',
    `must be a host name of at most 15 letters, digits and hyphens with story=true, not ${JSON.stringify(name ?? '')}`,
  )
}

const NOTHING_GIVEN = new Fault('bad-input', 'Could not process the parameters', {
  details: { parameters: 'must name at least one thing to change' },
})

function singleLineName(name: string): string {
  const trimmed = name.trim()
  if (trimmed !== '' && !/[\p{Cc}\u2028\u2029]/u.test(trimmed)) return trimmed
  throw invalidParameter('name', 'must be one line, and not blank')
}
