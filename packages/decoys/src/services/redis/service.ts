// Redis 7.0.15, bound to the network without a password.
import type { Crowd } from '../../session/crowd.ts'
import { memoriesOf } from '../../session/memory.ts'
import type { Service } from '../../session/session.ts'
import { redisSession } from './products/redis-server/session.ts'

/** `maxclients` is 10,000, whatever their source: more than the host has room for. */
const crowd: Crowd = { refusal: () => undefined, full: '-ERR max number of clients reached\r\n' }

/** Its keys outlive another port, as its run id and its uptime do. */
const newMemory = memoriesOf(() => redisSession())

const service: Service = {
  listeners(settings) {
    if (settings['redis.enabled'] !== true) return []
    const memory = newMemory()
    return [
      {
        instance: 'redis',
        transport: 'tcp',
        port: Number(settings['redis.port']),
        startSession: (context) => memory.value(context),
        // No setting but its port: another bundle leaves its keys alone.
        dependsOn: '',
        memory,
        crowd,
      },
    ]
  },
}

export default service
