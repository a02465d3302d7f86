// `rookery up` (= `npm start`): console, token server and one local Bird.
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Logger } from 'pino'
import type { Console } from '@rookery/console/build.ts'
import type { Config } from '@rookery/console/config/config.ts'
import { addOptions, configOf } from '../flags.ts'
import { openLocalBird, type LocalBird } from '../local-bird/local-bird.ts'
import { saveMemory } from '../memory-saver.ts'
import { BIRD_DELAYED, birdMessage, consoleMessage } from '../start-message.ts'
import { supervised } from '../supervisor/supervised.ts'
import { untilStopped } from '../until-stopped.ts'
import { startWatchdog } from '../watchdog/watchdog.ts'
import { openConsoleOf } from './open-console.ts'

const LOCAL_BIND = '127.0.0.1'
const LOCAL_PORT_OFFSET = 20_000
/** How long the message of the console waits for the Bird's. */
const BIRD_WAIT_MS = 10_000
/** How long a stop of the console waits for the Bird, whose last events it then has; one that hangs must not keep the leases. */
const BIRD_HEAD_START_MS = 1_000

export function addUp(program: Command): void {
  const command = program.command('up').description('run the console, the token server and one local Bird')
  addOptions(command).action(async (flags: Record<string, unknown>) => {
    saveMemory()
    const tellStarted = supervised()
    const config = configOf(flags)
    const { console, log } = await openConsoleOf(config)
    const print = printTogether(consoleMessage(console, config.ROOKERY_BOOTSTRAP_KEY !== ''))
    let localBird: LocalBird | undefined
    // Before the message: a reader of it may send a signal at once.
    const stopped = untilStopped(async () => {
      const birdStopped = localBird?.stop()
      await Promise.race([birdStopped, pause(BIRD_HEAD_START_MS, undefined, { ref: false })])
      await Promise.all([birdStopped, console.stop()])
    })
    startWatchdog()
    tellStarted()
    if (config.ROOKERY_LOCAL_BIRD === 'on') localBird = startLocalBird(console, config, log, print)
    else print('')
    process.exitCode = await stopped
  })
}

/** Prints the console's message with the Bird's, so that no log line comes between; alone when the Bird takes too long. */
function printTogether(consoleText: string): (birdText: string) => undefined {
  let unprinted = consoleText
  const print = (birdText: string): undefined => {
    clearTimeout(timer)
    process.stdout.write(unprinted + birdText)
    unprinted = ''
  }
  const timer = setTimeout(() => print(BIRD_DELAYED), BIRD_WAIT_MS)
  return print
}

/** Starts the local Bird and prints its decoys once they listen. While it cannot start, the console runs without it. */
function startLocalBird(
  console: Console,
  config: Config,
  log: Logger,
  print: (birdText: string) => void,
): LocalBird {
  const apiUrl = console.apiUrl ?? ''
  const bind = config.ROOKERY_BIRD_BIND || LOCAL_BIND
  const birdLog = log.child({ part: 'local bird' })
  let isPrinted = false
  const printOnce = (text: string): void => {
    if (!isPrinted) print(text)
    isPrinted = true
  }
  return openLocalBird({
    consoleUrl: console.linkUrl ?? apiUrl,
    enrol: () => console.enrolLocalBird(),
    dataDir: console.folder.bird,
    bind,
    portOffset:
      config.ROOKERY_BIRD_PORT_OFFSET === '' ? LOCAL_PORT_OFFSET : Number(config.ROOKERY_BIRD_PORT_OFFSET),
    setsIpStack: config.ROOKERY_BIRD_IP_STACK === 'claimed',
    log: (level, message) => birdLog[level === 'warning' ? 'warn' : level](message),
    onState(state) {
      if (state.phase !== 'registered' || state.listening.length === 0) return
      printOnce(birdMessage(state, bind, apiUrl, console.folder.adminKey))
    },
    onFailure(reason) {
      printOnce('')
      birdLog.error(
        { reason },
        'the local Bird does not run; the console runs without it until it starts again',
      )
    },
  })
}
