// Redis 7.0.15, bound to the network without a password.
import type { Crowd } from '../../crowd.ts'
import type { Service } from '../../session.ts'
import { redisSession } from './session.ts'

/** `maxclients` is 10,000, whatever their source: more than the host has room for. */
const crowd: Crowd = { refusal: () => undefined, full: '-ERR max number of clients reached\r\n' }

const service: Service = {
  listeners: (settings) =>
    settings['redis.enabled'] === true
      ? [
          {
            instance: 'redis',
            transport: 'tcp',
            port: Number(settings['redis.port']),
            startSession: redisSession(),
            // No setting but its port: another bundle leaves its keys alone.
            dependsOn: '',
            crowd,
          },
        ]
      : [],
}

export default service
