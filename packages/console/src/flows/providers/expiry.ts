// What a token plants may stop working by itself: an incident of the console (23007) says so 30 days before.
import { limit } from '@rookery/kernel/limit.ts'
import { std } from '@rookery/kernel/time.ts'
import type { WorkerLoop } from '@rookery/kernel/worker-loop.ts'
import { task } from '../../background/task.ts'
import type { AppContext } from '../../app-context.ts'
import {
  expiringResources,
  noteExpiry,
  type ExpiringResource,
} from '../../stores/providers/resources.store.ts'
import type { Arrival } from '../raise/arrival.ts'
import { consoleArrival } from '../raise/console-arrival.ts'
import type { NewIncident } from '../raise/plan.ts'
import { raise, type RaiseDeps } from '../raise/raise.ts'

export interface ExpiryWatchDeps extends Pick<
  AppContext,
  'reader' | 'writer' | 'world' | 'log' | 'background'
> {
  readonly raising: RaiseDeps
  readonly onRaised: (created: readonly NewIncident[]) => void
  /** Whether this console is the one that watches. */
  readonly isHeld: () => boolean
}

const LOGTYPE = '23007'
const NOTICE_MS = 30 * 86_400_000
const EXAMINE_MS = 3_600_000
const TASK = task(
  'provider_expiry',
  EXAMINE_MS,
  'Raises an incident (23007) of what a provider issued that soon ends',
)
/** Credentials that one transaction reports; the rest follows at once. */
const EXPIRIES_PER_RUN = limit('expiries_of_a_run', 20)

export function openExpiryWatch({
  reader,
  writer,
  world: { clock },
  log,
  background,
  raising,
  onRaised,
  isHeld,
}: ExpiryWatchDeps): WorkerLoop {
  return background.loop(TASK, {
    clock,
    async run() {
      if (!isHeld()) return undefined
      const now = clock.now()
      const found = await expiringResources(reader, now + NOTICE_MS, EXPIRIES_PER_RUN.max)
      if (found.length > 0) {
        const created = await writer.write(async (tx) => {
          const expiring = await expiringResources(tx.query, now + NOTICE_MS, EXPIRIES_PER_RUN.max)
          await noteExpiry(
            tx,
            expiring.map(({ token_id }) => token_id),
          )
          return raise(
            tx,
            expiring.map((it) => arrival(it, now)),
            raising,
          )
        })
        onRaised(created)
      }
      if (found.length < EXPIRIES_PER_RUN.max) return now + EXAMINE_MS
      EXPIRIES_PER_RUN.hit()
      return now
    },
    onError(error) {
      log.warn({ err: error }, 'expiries of planted credentials could not be examined; retrying in 1 h')
      return EXAMINE_MS
    },
  })
}

const arrival = ({ token_id, kind, expires_at, memo }: ExpiringResource, now: number): Arrival =>
  consoleArrival(
    {
      logtype: LOGTYPE,
      instance: token_id,
      srcHost: '',
      fields: { DECOYTOKEN: token_id, KIND: kind, EXPIRES: std(expires_at), MEMO: memo },
    },
    now,
  )
