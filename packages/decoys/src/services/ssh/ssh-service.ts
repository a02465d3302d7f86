// The SSH decoy, with what its key exchanges may cost.
import { maxStartups } from '../../session/crowd.ts'
import { ownSettings } from '../../settings/own-settings.ts'
import { repeatedGuesses } from '../../session/repeated-guesses.ts'
import { sessionRunner } from '../../session/session-runner.ts'
import type { Service } from '../../session/session.ts'
import { descriptor } from './descriptor.ts'
import { withBudget, type ExchangeBudget } from './protocol/exchange-budget.ts'
import { sshSession } from './products/openssh/session.ts'
import { sourcePenalties, withPenalties } from './protocol/source-penalties.ts'
import { defaultVersion, versions } from './products/openssh/versions/all.ts'

const { settings } = descriptor
/** Linux-PAM's fail delay for a wrong password. */
const PAM_DELAY_MS = 2_000

/** MaxStartups 10:30:100, sshd's default. */
const startups = maxStartups(10, 30, 100)

/** `budget` is that of all listeners, also of those under earlier settings; `pamDelayMs` 0 drops every delay. */
export const sshService = (budget: ExchangeBudget, pamDelayMs = PAM_DELAY_MS): Service => ({
  listeners(given) {
    if (given['ssh.enabled'] !== true) return []
    const port = given['ssh.port'] ?? settings['ssh.port'].default
    const software = given['ssh.version'] ?? settings['ssh.version'].default
    const version = versions.find((candidate) => candidate.software === software) ?? defaultVersion
    const banner = given['ssh.preauth_banner']
    const crowd = withBudget(startups, budget)
    const penalties = version.hasPenalties && sourcePenalties()
    const config = {
      version,
      banner: typeof banner === 'string' ? banner : '',
      pamDelayMs,
      repeatedGuesses: repeatedGuesses(),
      budget,
      ...(penalties && { penalties }),
    }
    return [
      {
        instance: 'ssh',
        transport: 'tcp',
        port: Number(port),
        startSession: sessionRunner(sshSession(config)),
        // Another bundle leaves its penalties and its repeated guesses alone.
        dependsOn: ownSettings(given, descriptor),
        crowd: penalties ? withPenalties(crowd, penalties) : crowd,
      },
    ]
  },
})
