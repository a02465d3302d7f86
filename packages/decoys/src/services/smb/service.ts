// A Windows file server with one share that everyone may read.
import { sessionRunner } from '../../session-runner.ts'
import type { Service } from '../../session.ts'
import { smbConfig } from './config.ts'
import { descriptor } from './descriptor.ts'
import { smbSession } from './session.ts'

const { settings } = descriptor

const service: Service = {
  listeners(given) {
    if (given['smb.enabled'] !== true) return []
    const port = Number(given['smb.port'] ?? settings['smb.port'].default)
    const own = Object.fromEntries(
      Object.entries(settings).map(([key, { default: value }]) => [key, given[key] ?? value]),
    )
    return [
      {
        instance: 'smb',
        transport: 'tcp',
        port,
        startSession: sessionRunner(smbSession(smbConfig(own))),
        dependsOn: JSON.stringify(own),
      },
    ]
  },
}

export default service
