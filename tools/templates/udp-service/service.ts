// Where Some name listens under given settings.
import type { Service } from '@rookery/decoys/session/session.ts'
import { descriptor } from './descriptor.ts'
import { someNameSession } from './session.ts'

const service: Service = {
  listeners(settings) {
    if (settings['some-name.enabled'] !== true) return []
    const { answerBytes } = descriptor
    const port = Number(settings['some-name.port'])
    return [{ instance: 'some-name', transport: 'udp', port, answerBytes, startSession: someNameSession }]
  },
}

export default service
