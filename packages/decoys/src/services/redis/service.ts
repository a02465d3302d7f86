// An open Redis 7.0.15, as it stands when somebody binds it to the network without a password.
import type { Service } from '../../session.ts'
import { redis } from './session.ts'

const service: Service = {
  listeners: (settings) =>
    settings['redis.enabled'] === true
      ? [{ instance: 'redis', transport: 'tcp', port: Number(settings['redis.port']), startSession: redis() }]
      : [],
}

export default service
