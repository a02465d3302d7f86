// telnetd of GNU inetutils 2.4 and login of Debian 12.
import type { Crowd } from '../../session/crowd.ts'
import { linuxKernel } from '../../machine/linux-kernel.ts'
import { ownSettings } from '../../settings/own-settings.ts'
import { storyKey, storyOf } from '../../machine/story.ts'
import type { BirdSettings, Service, SessionContext } from '../../session/session.ts'
import { descriptor } from './descriptor.ts'
import { telnetSession } from './products/telnetd/session.ts'

/** inetd starts a telnetd for each connection, however many there are. */
const crowd: Crowd = { refusal: () => undefined, full: '' }

/** Bytes of UTF-8, one character each. */
const textOf = (settings: BirdSettings, key: string): string =>
  Buffer.from(String(settings[key]), 'utf8').toString('latin1')

/** As telnetd fills in its own banner: host name, system, release. */
const fillIn =
  (settings: BirdSettings) =>
  (text: string, { derive }: SessionContext): string =>
    text
      .replaceAll('%h', storyOf(settings, derive).hostName)
      .replaceAll('%s', 'Linux')
      .replaceAll('%r', linuxKernel(derive))

const service: Service = {
  listeners(settings) {
    if (settings['telnet.enabled'] !== true) return []
    const texts = {
      banner: textOf(settings, 'telnet.banner'),
      userPrompt: textOf(settings, 'telnet.user_prompt'),
      passwordPrompt: textOf(settings, 'telnet.password_prompt'),
      refusal: textOf(settings, 'telnet.authentication_failed_prompt'),
    }
    const port = Number(settings['telnet.port'])
    const startSession = telnetSession(texts, fillIn(settings))
    // The host name is part of its prompts.
    const dependsOn = ownSettings(settings, descriptor) + storyKey(settings)
    return [{ instance: 'telnet', transport: 'tcp', port, startSession, crowd, dependsOn }]
  },
}

export default service
