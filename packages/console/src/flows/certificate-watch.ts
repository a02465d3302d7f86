// What the certificates of a channel are, and what is wrong with them: stored for lists, and reported by an incident (23006).
import type { ServedChannel } from '@rookery/tokens/visit.ts'
import { task } from '../background/task.ts'
import type { AppContext } from '../app-context.ts'
import { storeChannelCertificate } from '../stores/channels/store.ts'
import { consoleArrival } from './raise/console-arrival.ts'
import type { NewIncident } from './raise/plan.ts'
import { raise, type RaiseDeps } from './raise/raise.ts'

export interface CertificateState {
  /** For whom they are, and until when. */
  readonly summary: string
  /** Sentences that say that their time is over, or soon is: each is reported once. */
  readonly expiring: readonly string[]
  /** What else is wrong with them. */
  readonly problem: string | undefined
}

export interface CertificateWatch {
  /** The channel is stored by then. */
  note(state: CertificateState): void
  /** Resolves once what was noted is stored, or could not be. */
  idle(): Promise<void>
}

export interface CertificateWatchDeps extends Pick<AppContext, 'writer' | 'world' | 'background'> {
  readonly channel: ServedChannel
  readonly raising: RaiseDeps
  readonly onRaised: (created: readonly NewIncident[]) => void
}

const LOGTYPE = '23006'
const RETRY_MS = 10_000
const TASK = task(
  'certificate_watch',
  undefined,
  'Raises an incident (23006) of a certificate that soon ends',
)

export function openCertificateWatch(deps: CertificateWatchDeps): CertificateWatch {
  const { writer, world, channel, raising, onRaised } = deps
  let noted: CertificateState | undefined

  const loop = deps.background.loop(TASK, {
    clock: world.clock,
    async run() {
      const state = noted
      if (!state) return undefined
      onRaised(await store(state))
      if (noted === state) noted = undefined
      return undefined
    },
    // The writer logs an outage.
    onError: () => RETRY_MS,
  })

  /** Several consoles may see the same, and each start sees it again: what is stored says what was reported. */
  const store = ({ summary, expiring, problem }: CertificateState): Promise<readonly NewIncident[]> =>
    writer.write(async (tx) => {
      const certificate_problem = [...expiring, ...(problem === undefined ? [] : [problem])].join(' ')
      const before = await storeChannelCertificate(tx, { channel, certificate: summary, certificate_problem })
      const now = world.clock.now()
      const arrivals = expiring
        .filter((sentence) => !before.includes(sentence))
        .map((REASON) =>
          consoleArrival({ logtype: LOGTYPE, instance: channel, srcHost: '', fields: { REASON } }, now),
        )
      return raise(tx, arrivals, raising)
    })

  return {
    note(state) {
      noted = state
      loop.wake()
    },
    idle: loop.idle,
  }
}
