// The commands of one Bird: of its decoys that are on and listen, at the ports that the system has open.
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { instancesOf, touchCommand } from '@rookery/decoys/settings/instances.ts'
import type { Settings } from '../../stores/birds/settings.ts'
import type { TouchableBird } from '../../stores/birds/touchable.store.ts'

export interface TouchCommand {
  readonly service: string
  readonly title: string
  readonly command: string
}

const LAST_PORT = 65_535

/** Those with curl come first: it is nearly everywhere. */
export function commandsOf(bird: TouchableBird): TouchCommand[] {
  const settings = JSON.parse(bird.settings || '{}') as Settings
  const failed = JSON.parse(bird.not_standing || '{}') as Record<string, string>
  const isLocal = bird.reach === 'own-machine'
  const host = isLocal ? '127.0.0.1' : (bird.ip_address.split(/[\s,]+/)[0] ?? '')
  if (host === '') return []
  const all = descriptors.flatMap((descriptor) => {
    const { service, title, transport, example } = descriptor
    if (settings[`${service}.enabled`] !== true) return []
    return instancesOf(descriptor).flatMap((instance) => {
      const port = settings[`${instance}.port`]
      const isOn = settings[`${instance}.enabled`] === true && !Object.hasOwn(failed, instance)
      // What has no port of its own watches those of the machine, which loopback does not pass.
      const hasPlace = transport === undefined ? !isLocal : typeof port === 'number'
      if (!isOn || !hasPlace) return []
      const bound = Number(port ?? 0) + bird.port_offset
      if (bound > LAST_PORT) return []
      return [{ service: instance, title, command: touchCommand(example, host, bound) }]
    })
  })
  const isCurl = ({ command }: TouchCommand): number => (command.startsWith('curl ') ? 0 : 1)
  return all.sort((a, b) => isCurl(a) - isCurl(b))
}
