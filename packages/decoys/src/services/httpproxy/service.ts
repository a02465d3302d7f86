// Squid 5.7, which wants a password of everyone. It never connects anywhere.
import { storyKey, storyOf } from '../../machine/story.ts'
import type { Service } from '../../session/session.ts'
import { ownSettings } from '../../settings/own-settings.ts'
import { descriptor } from './descriptor.ts'
import { squidSession } from './products/squid/session.ts'

const service: Service = {
  listeners(settings) {
    if (settings['httpproxy.enabled'] !== true) return []
    const port = Number(settings['httpproxy.port'])
    const startSession = squidSession({
      banner: String(settings['httpproxy.banner']),
      port,
      hostName: ({ derive }) => storyOf(settings, derive).hostName,
    })
    const dependsOn = ownSettings(settings, descriptor) + storyKey(settings)
    return [{ instance: 'httpproxy', transport: 'tcp', port, startSession, dependsOn }]
  },
}

export default service
