// `rookery up` (= `npm start`): console, token server and one local Bird.
import type { Command } from 'commander'
import type { Logger } from 'pino'
import type { RunningBird } from '@rookery/bird/options.ts'
import type { Console } from '@rookery/console/build.ts'
import type { Config } from '@rookery/console/config.ts'
import { addOptions, configOf } from '../flags.ts'
import { BIRD_DELAYED, birdMessage, consoleMessage } from '../start-message.ts'
import { untilStopped } from '../until-stopped.ts'
import { openConsoleOf } from './open-console.ts'

const LOCAL_PORT_OFFSET = 20_000
/** How long the message of the console waits for the Bird's. */
const BIRD_WAIT_MS = 3_000

export function addUp(program: Command): void {
  const command = program.command('up').description('run the console, the token server and one local Bird')
  addOptions(command).action(async (flags: Record<string, unknown>) => {
    const config = configOf(flags)
    const { console, log } = await openConsoleOf(config)
    const print = printTogether(consoleMessage(console, config.ROOKERY_BOOTSTRAP_KEY !== ''))
    let starting: Promise<RunningBird | undefined> | undefined
    // Before the message: a reader of it may send a signal at once.
    const stopped = untilStopped(async () => {
      await (await starting)?.stop()
      await console.stop()
    })
    if (config.ROOKERY_LOCAL_BIRD === 'on') starting = startLocalBird(console, config, log, print)
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

/** Starts the local Bird and prints its decoys once they listen. When it cannot start, the console runs without it. */
async function startLocalBird(
  console: Console,
  config: Config,
  log: Logger,
  print: (birdText: string) => void,
): Promise<RunningBird | undefined> {
  const apiUrl = console.apiUrl ?? ''
  let isPrinted = false
  try {
    const { startBird } = await import('@rookery/bird/start.ts')
    return await startBird({
      consoleUrl: console.linkUrl ?? apiUrl,
      enrol: await console.enrolLocalBird(),
      dataDir: console.folder.bird,
      bind: config.ROOKERY_BIRD_BIND,
      portOffset:
        config.ROOKERY_BIRD_PORT_OFFSET === '' ? LOCAL_PORT_OFFSET : Number(config.ROOKERY_BIRD_PORT_OFFSET),
      log: (level, message) => log[level === 'warning' ? 'warn' : level]({ part: 'local bird' }, message),
      onChange: (state) => {
        if (isPrinted || state.phase !== 'registered' || state.listening.length === 0) return
        isPrinted = true
        print(birdMessage(state, config.ROOKERY_BIRD_BIND, apiUrl, console.folder.adminKey))
      },
    })
  } catch (error) {
    print('')
    log.error({ err: error }, 'the local Bird did not start; the console runs without it')
    return undefined
  }
}
