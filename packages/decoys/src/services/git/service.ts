// git daemon 2.39.5, without a repository.
import type { Service } from '../../session/session.ts'
import { crowd } from './products/git-daemon/profile.ts'
import { gitSession } from './products/git-daemon/session.ts'

const service: Service = {
  listeners(settings) {
    if (settings['git.enabled'] !== true) return []
    const port = Number(settings['git.port'])
    return [{ instance: 'git', transport: 'tcp', port, startSession: gitSession, crowd, dependsOn: '' }]
  },
}

export default service
