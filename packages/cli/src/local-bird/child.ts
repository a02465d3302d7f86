// The process of the local Bird: started by `rookery up`, and ended with it, however that ends.
import { startBird } from '@rookery/bird/start.ts'
import { lowerPriority } from '@rookery/console/world/priority.ts'
import { runNote } from '../watchdog/run-note.ts'
import { startWatchdog } from '../watchdog/watchdog.ts'
import type { FromBird, Start, ToBird } from './messages.ts'

/** Below the console, so that a flood on a decoy leaves it the processor. */
const NICE = 10

export function runLocalBird(): Promise<void> {
  if (process.send === undefined)
    throw new Error('This command is for `rookery up` alone: use `rookery bird`.')
  lowerPriority(NICE)
  // A terminal sends Ctrl-C to the whole group; the console stops its Bird by itself.
  process.on('SIGINT', () => undefined)
  const stop = Promise.withResolvers<void>()
  process.once('SIGTERM', stop.resolve)
  // The console was killed. Its successor needs the ports and the data directory at once; the spool survives an end.
  process.once('disconnect', () => process.exit())
  return new Promise((resolve, reject) => {
    process.on('message', (message: ToBird) => {
      if (message.type === 'stop') stop.resolve()
      else run(message, stop.promise).then(resolve, reject)
    })
  }).then(() => process.exit())
}

async function run(
  { consoleUrl, enrol, dataDir, bind, portOffset, setsIpStack }: Start,
  stop: Promise<void>,
): Promise<void> {
  try {
    const note = runNote(dataDir)
    const bird = await startBird({
      consoleUrl,
      enrol,
      dataDir,
      bind,
      portOffset,
      setsIpStack,
      unstopped: note.unstopped(),
      log: (level, message) => void tell({ type: 'log', level, message }),
      onChange: (state) => void tell({ type: 'state', state }),
    })
    note.begin()
    startWatchdog({ noteFile: note.path })
    void stop.then(() => bird.stop())
    await tell({ type: 'ended', phase: await bird.ended })
    await bird.stop()
  } catch (error) {
    await tell({ type: 'failed', reason: (error as Error).message })
  }
}

/** Resolves once the message has left; nothing is said to a console that has ended. */
const tell = (message: FromBird): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(message, () => resolve())
    else resolve()
  })
