// telnetd of GNU inetutils 2.4 and login of Debian 12; on a device with a firmware, those of BusyBox.
import type { Crowd } from '../../session/crowd.ts'
import { gatewayFirmware } from '../../machine/gateway.ts'
import { linuxKernel } from '../../machine/linux-kernel.ts'
import { machineKind, type MachineKind } from '../../machine/machine-kind.ts'
import { ownSettings } from '../../settings/own-settings.ts'
import { storyKey, storyOf } from '../../machine/story.ts'
import type { BirdSettings, Service, SessionContext } from '../../session/session.ts'
import { descriptor } from './descriptor.ts'
import { busyboxSession } from './products/busybox/session.ts'
import { telnetSession } from './products/telnetd/session.ts'

/** inetd starts a telnetd for each connection, however many there are. */
const crowd: Crowd = { refusal: () => undefined, full: '' }

/** Bytes of UTF-8, one character each. */
const textOf = (settings: BirdSettings, key: string): string =>
  Buffer.from(String(settings[key]), 'utf8').toString('latin1')

/** What has a BusyBox in place of a Debian. */
const DEVICES: ReadonlySet<MachineKind> = new Set(['plc', 'printer', 'router'])
const DEBIANS_BANNER = descriptor.settings['telnet.banner'].default

/** As telnetd fills in its own banner: host name, system, release. */
const fillIn =
  (settings: BirdSettings, isDevice: boolean) =>
  (text: string, { derive }: SessionContext): string =>
    text
      .replaceAll('%h', storyOf(settings, derive).hostName)
      .replaceAll('%s', 'Linux')
      .replaceAll('%r', isDevice ? gatewayFirmware(derive).kernel : linuxKernel(derive))

const service: Service = {
  listeners(settings) {
    if (settings['telnet.enabled'] !== true) return []
    const isDevice = DEVICES.has(machineKind(settings))
    const banner = textOf(settings, 'telnet.banner')
    const texts = {
      // The default is that of Debian; a BusyBox has none.
      banner: isDevice && banner === DEBIANS_BANNER ? '' : banner,
      userPrompt: textOf(settings, 'telnet.user_prompt'),
      passwordPrompt: textOf(settings, 'telnet.password_prompt'),
      refusal: textOf(settings, 'telnet.authentication_failed_prompt'),
    }
    const port = Number(settings['telnet.port'])
    const startSession = (isDevice ? busyboxSession : telnetSession)(texts, fillIn(settings, isDevice))
    // The host name is part of its prompts.
    const dependsOn = ownSettings(settings, descriptor) + storyKey(settings)
    return [{ instance: 'telnet', transport: 'tcp', port, startSession, crowd, dependsOn }]
  },
}

export default service
