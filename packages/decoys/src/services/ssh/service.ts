// OpenSSH with Debian's or Ubuntu's default configuration.
import { maxStartups } from '../../crowd.ts'
import { sessionRunner } from '../../session-runner.ts'
import { repeatedGuesses } from '../../repeated-guesses.ts'
import type { Service } from '../../session.ts'
import { descriptor } from './descriptor.ts'
import { sshSession } from './session.ts'
import { versions } from './versions/all.ts'

const { settings } = descriptor
/** Linux-PAM's fail delay for a wrong password. */
const PAM_DELAY_MS = 2_000

const ssh: Service = {
  listeners(given) {
    if (given['ssh.enabled'] !== true) return []
    const port = given['ssh.port'] ?? settings['ssh.port'].default
    const software = given['ssh.version'] ?? settings['ssh.version'].default
    const version = versions.find((candidate) => candidate.software === software) ?? versions[0]!
    const banner = given['ssh.preauth_banner']
    const config = {
      version,
      banner: typeof banner === 'string' ? banner : '',
      pamDelayMs: PAM_DELAY_MS,
      repeatedGuesses: repeatedGuesses(),
    }
    return [
      {
        instance: 'ssh',
        transport: 'tcp',
        port: Number(port),
        startSession: sessionRunner(sshSession(config)),
        crowd: maxStartups(10, 30, 100),
      },
    ]
  },
}

export default ssh
