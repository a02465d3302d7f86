// Redis 7.0.15, bound to the network without a password.
import type { Service } from '../../session.ts'
import { redisSession } from './session.ts'

const service: Service = {
  listeners: (settings) =>
    settings['redis.enabled'] === true
      ? [
          {
            instance: 'redis',
            transport: 'tcp',
            port: Number(settings['redis.port']),
            startSession: redisSession(),
          },
        ]
      : [],
}

export default service
