// OpenSSH with Debian's or Ubuntu's default configuration.
import { maxStartups, type Crowd } from '../../crowd.ts'
import { sessionRunner } from '../../session-runner.ts'
import { repeatedGuesses } from '../../repeated-guesses.ts'
import type { Service } from '../../session.ts'
import { descriptor } from './descriptor.ts'
import { exchangeBudget } from './exchange-budget.ts'
import { sshSession } from './session.ts'
import { versions } from './versions/all.ts'

const { settings } = descriptor
/** Linux-PAM's fail delay for a wrong password. */
const PAM_DELAY_MS = 2_000

/** Of all listeners, also of those under earlier settings. */
const budget = exchangeBudget()

/** MaxStartups 10:30:100, sshd's default. It drops those beyond the budget as well: their exchange would be too much. */
const startups = maxStartups(10, 30, 100)
const crowd: Crowd = {
  full: startups.full,
  refusal: (newcomer) =>
    startups.refusal(newcomer) ??
    (budget.admitsConnection(newcomer.source, newcomer.now) ? undefined : startups.full),
}

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
      budget,
    }
    return [
      {
        instance: 'ssh',
        transport: 'tcp',
        port: Number(port),
        startSession: sessionRunner(sshSession(config)),
        crowd,
      },
    ]
  },
}

export default ssh
