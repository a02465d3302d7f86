// What people say of a Bird, as changes of its row.
import type { birdOperations } from '@rookery/contract/groups/bird-operations.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { newSettingsTag } from '@rookery/kernel/ids.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { BirdRow } from '../../stores/birds/store.ts'

type Described = Partial<Omit<Params<typeof birdOperations.describe>, 'node_id'>>

const CLOUD = ['cloud_project', 'cloud_zone', 'instance_id', 'region_id', 'subnet'] as const

/** The columns that follow from what is said. Throws `bad-input` when nothing is, or the name is no name. */
export function described(said: Described, bird: BirdRow): Partial<BirdRow> {
  if (Object.keys(said).length === 0) throw nothingGiven
  const { name, description, location, note } = said
  const cloud = Object.fromEntries(
    CLOUD.flatMap((field) => (said[field] === undefined ? [] : [[field, said[field].trim()]])),
  )
  const environment = { ...(JSON.parse(bird.environment) as Record<string, string>), ...cloud }
  return {
    ...(name !== undefined && { name: plainName(name) }),
    ...(description !== undefined && { description: description.trim() }),
    ...(location !== undefined && { location: location.trim() }),
    ...(note !== undefined && { note: note.trim() === '' ? '' : note }),
    ...(Object.keys(cloud).length > 0 && { environment: JSON.stringify(environment) }),
  }
}

/** Which of its alerts are told, as columns. Throws `bad-input` when no flag is given. */
export function silenced(flags: Partial<Params<typeof birdOperations.notifications>>): Partial<BirdRow> {
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
  if (Object.keys(columns).length === 0) throw nothingGiven
  return columns
}

/** A Bird knows its name and description from its settings: new ones are a new bundle; undefined when they are the same. */
export function settingsNaming(
  { name, description }: Partial<BirdRow>,
  bird: BirdRow,
  { clock, random }: Pick<World, 'clock' | 'random'>,
): Partial<BirdRow> | undefined {
  const settings = JSON.parse(bird.settings) as Record<string, unknown>
  const named = {
    'device.name': name ?? settings['device.name'],
    'device.desc': description ?? settings['device.desc'],
  }
  if (named['device.name'] === settings['device.name'] && named['device.desc'] === settings['device.desc'])
    return undefined
  return {
    settings: JSON.stringify({ ...settings, ...named }),
    settings_tag: newSettingsTag(random, clock.now()),
    settings_seq: bird.settings_seq + 1,
    settings_failure: '',
  }
}

const nothingGiven = new Fault('bad-input', 'Could not process the parameters', {
  details: { parameters: 'must name at least one thing to change' },
})

function plainName(name: string): string {
  const trimmed = name.trim()
  if (trimmed !== '' && !/[\p{Cc}\u2028\u2029]/u.test(trimmed)) return trimmed
  throw new Fault('bad-input', 'Parameter name was invalid.', {
    details: { name: 'must be one line, and not blank' },
  })
}
