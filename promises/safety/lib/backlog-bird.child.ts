// G7: a Bird with all its decoys in a process that is killed. Its wall clock is wrong by as much as its parent says.
// The parent sends { consoleUrl, enrol, dataDir, portOffset, clockOffMs }.
import { startBird } from '@rookery/bird/start.ts'
import { systemClock } from '@rookery/bird/world.ts'
import type { BacklogBird } from './backlog.ts'

process.on('message', (given: BacklogBird) => {
  const { clockOffMs, ...where } = given
  startBird({
    ...where,
    bind: '127.0.0.1',
    clock: { ...systemClock, now: () => Date.now() + clockOffMs },
    maxBackoffMs: 200,
    log: () => undefined,
  }).catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})
process.on('disconnect', () => process.exit())
