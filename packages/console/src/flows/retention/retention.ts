// Once a day, and within ten minutes after its settings changed, incidents that are done with and old deliveries go for good. One
// console does it at a time.
import type { AppContext } from '../../app-context.ts'
import { task } from '../../background/task.ts'
import { openLease } from '../../db/lease.ts'
import { removeDue } from './remove.ts'
import { readRetention } from './rules.ts'

export interface Retention {
  /** Resolves once the task sleeps. */
  idle(): Promise<void>
  stop(): Promise<void>
}

const LOOK_MS = 600_000
const DAY_MS = 86_400_000
const TASK = task(
  'retention',
  LOOK_MS,
  'Removes incidents that are done with and deliveries whose time is over, once a day',
  { runsLong: true },
)

export function openRetention(
  deps: Pick<AppContext, 'engine' | 'reader' | 'writer' | 'world' | 'log' | 'background'>,
): Retention {
  const { reader, log, background } = deps
  const { clock } = deps.world
  /** While this console holds the lease; another object after each change of hands. */
  let holding: object | undefined
  let isStopped = false
  /** When the last run was, and by which rules. */
  let last = { at: -Infinity, rules: '' }

  async function look(): Promise<number | undefined> {
    const mine = holding
    if (!mine) return undefined
    const rules = await readRetention(reader)
    const now = clock.now()
    const text = JSON.stringify([rules.incident_days, rules.delivery_days, [...rules.flocks]])
    if (text !== last.rules || now - last.at >= DAY_MS) {
      await removeDue({ ...deps, clock, mayGoOn: () => holding === mine && !isStopped }, rules)
      if (holding === mine) last = { at: now, rules: text }
    }
    return clock.now() + LOOK_MS
  }

  const loop = background.loop(TASK, {
    clock,
    run: look,
    onError(error) {
      log.warn({ err: error }, 'cannot remove what is old; retrying in 10 min')
      return LOOK_MS
    },
  })
  const lease = openLease(
    deps,
    'retention',
    () => {
      holding = {}
      loop.wake()
    },
    () => void (holding = undefined),
  )

  return {
    async idle() {
      await lease.asked()
      await loop.idle()
    },
    async stop() {
      isStopped = true
      await loop.stop()
      await lease.stop()
    },
  }
}
