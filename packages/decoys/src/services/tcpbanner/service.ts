// Ten ports that say what their settings say.
import type { BirdSettings, Listener, Service } from '../../session/session.ts'
import { instancesOf } from '../../settings/instances.ts'
import { descriptor } from './descriptor.ts'
import { unfolded } from './escapes.ts'
import { tcpBannerSession } from './session.ts'

function listenerOf(settings: BirdSettings, instance: string, id: number): Listener {
  const bytes = (key: string): Buffer => unfolded(String(settings[`${instance}.${key}`] ?? ''))
  const isOn = (key: string): boolean => settings[`${instance}.${key}.enabled`] === true
  const isWatched = isOn('keep_alive')
  const isPicky = isOn('alertstring') && !isWatched
  const banner = {
    id,
    initBanner: bytes('initbanner'),
    dataBanner: bytes('datareceivedbanner'),
    ...(isPicky && { alertString: bytes('alertstring') }),
    ...(isWatched && { secret: bytes('keep_alive_secret') }),
  }
  return {
    instance,
    transport: 'tcp',
    port: Number(settings[`${instance}.port`]),
    startSession: tcpBannerSession(banner),
    // Those that are off, too: switching one on makes another session of it anyway.
    dependsOn: JSON.stringify([banner, bytes('alertstring'), bytes('keep_alive_secret')]),
    ...(isPicky && { isSilenceUsual: true }),
  }
}

const service: Service = {
  listeners: (settings) =>
    settings['tcpbanner.enabled'] === true
      ? instancesOf(descriptor).flatMap((instance, index) =>
          settings[`${instance}.enabled`] === true ? [listenerOf(settings, instance, index + 1)] : [],
        )
      : [],
}

export default service
