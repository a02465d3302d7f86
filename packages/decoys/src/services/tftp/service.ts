// tftpd-hpa 5.2: on a router with its configuration, else with an empty folder.
import type { Service, SessionContext } from '../../session/session.ts'
import { storyKey, storyOf } from '../../machine/story.ts'
import { descriptor } from './descriptor.ts'
import { tftpSession } from './products/tftpd-hpa/session.ts'
import { startupConfig } from './startup-config.ts'

const service: Service = {
  listeners(settings) {
    if (settings['tftp.enabled'] !== true) return []
    const filesOf = ({ derive, dst }: SessionContext): ReadonlyMap<string, Buffer> => {
      const story = storyOf(settings, derive)
      if (story.kind !== 'router') return new Map()
      return new Map([['startup-config', Buffer.from(startupConfig(story, dst.host, derive))]])
    }
    const { answerBytes } = descriptor
    const port = Number(settings['tftp.port'])
    const dependsOn = storyKey(settings)
    return [
      {
        instance: 'tftp',
        transport: 'udp',
        port,
        answerBytes,
        startSession: tftpSession(filesOf),
        dependsOn,
      },
    ]
  },
}

export default service
