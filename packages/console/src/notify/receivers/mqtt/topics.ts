// What stands at the broker: the states of a Flock and its Birds, and how Home Assistant finds them ("MQTT", section
// "MQTT discovery", of its documentation).
import { sanitize } from '../../message/sanitize.ts'
import type { Publication } from '../../senders/mqtt-packets.ts'
import { VERSION } from '../../../version.ts'

export interface FlockState {
  readonly id: string
  readonly name: string
  readonly birds: number
  readonly live_birds: number
  readonly unacknowledged_incidents: number
}

export interface BirdState {
  readonly id: string
  readonly name: string
  readonly flock_id: string
  readonly live: boolean
  readonly address: string
  readonly version: string
  readonly unacknowledged_incidents: number
}

/** Ids alone stand in topics. */
export const alertTopic = (prefix: string, flockId: string): string => `${prefix}/flock/${flockId}/alert`

/** `offline` is the last will. */
export const statusOf = (prefix: string, status: 'online' | 'offline'): Publication => ({
  topic: `${prefix}/status`,
  payload: status,
  retain: true,
})

/** Everything that is retained of a Flock. */
export function retainedOf(
  prefix: string,
  consoleUrl: string,
  flock: FlockState,
  birds: readonly BirdState[],
): readonly Publication[] {
  const flockTopic = `${prefix}/flock/${flock.id}`
  const shared = { prefix, consoleUrl }
  const ofFlock = describer({ ...shared, topic: flockTopic, id: flock.id, name: flock.name, model: 'Flock' })
  return [
    ofFlock('sensor', 'incidents', INCIDENTS),
    ofFlock('sensor', 'birds', { name: 'Live Birds', value_template: '{{ value_json.live_birds }}' }),
    ofFlock('event', 'alert', {
      name: 'Alert',
      state_topic: alertTopic(prefix, flock.id),
      event_types: ['incident', 'test', 'digest', 'backlog', 'notice'],
    }),
    json(flockTopic, { ...flock, name: sanitize(flock.name) }),
    ...birds.flatMap((bird) => {
      const topic = `${prefix}/bird/${bird.id}`
      const { id, name, version } = bird
      const ofBird = describer({ ...shared, topic, id, name, model: 'Bird', version, via: flock.id })
      return [
        ofBird('binary_sensor', 'live', LIVE),
        ofBird('sensor', 'incidents', INCIDENTS),
        json(topic, { ...bird, name: sanitize(name), address: sanitize(bird.address) }),
      ]
    }),
  ]
}

const LIVE = {
  name: 'Connection',
  device_class: 'connectivity',
  value_template: "{{ 'ON' if value_json.live else 'OFF' }}",
}
const INCIDENTS = {
  name: 'Unacknowledged incidents',
  state_class: 'measurement',
  value_template: '{{ value_json.unacknowledged_incidents }}',
}

interface Described {
  readonly prefix: string
  readonly consoleUrl: string
  readonly topic: string
  readonly id: string
  readonly name: string
  readonly model: string
  readonly version?: string
  /** The Flock that it belongs to. */
  readonly via?: string
}

/** Of one device: a function from an entity to its configuration, which Home Assistant keeps under an id of its own. */
function describer({ prefix, consoleUrl, topic, id, name, model, version = '', via }: Described) {
  const device = {
    identifiers: [keyOf(id)],
    manufacturer: 'Rookery',
    name: sanitize(name),
    model,
    ...(version !== '' && { sw_version: sanitize(version) }),
    ...(via !== undefined && { via_device: keyOf(via) }),
    ...(consoleUrl !== '' && { configuration_url: consoleUrl }),
  }
  return (component: string, entity: string, config: object): Publication =>
    json(`homeassistant/${component}/${keyOf(id)}/${entity}/config`, {
      state_topic: topic,
      ...config,
      unique_id: `${keyOf(id)}_${entity}`,
      availability_topic: statusOf(prefix, 'online').topic,
      device,
      origin: { name: 'Rookery', sw_version: VERSION },
    })
}

/** Home Assistant takes letters, digits, _ and - alone. */
const keyOf = (id: string): string => `rookery_${id.replace(/[^\w-]/g, '_')}`

const json = (topic: string, value: object): Publication => ({
  topic,
  payload: JSON.stringify(value),
  retain: true,
})
