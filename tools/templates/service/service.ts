// Where Some name listens under given settings.
import type { Service } from '@rookery/decoys/session/session.ts'
import { someNameSession } from './session.ts'

const service: Service = {
  listeners: (settings) =>
    settings['some-name.enabled'] === true
      ? [
          {
            instance: 'some-name',
            transport: 'tcp',
            port: Number(settings['some-name.port']),
            startSession: someNameSession,
          },
        ]
      : [],
}

export default service
