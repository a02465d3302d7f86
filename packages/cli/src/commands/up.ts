// `rookery up` (= `npm start`): console, token server and one local Bird.
import type { Command } from 'commander'
import type { Logger } from 'pino'
import type { RunningBird } from '@rookery/bird/options.ts'
import type { Console } from '@rookery/console/build.ts'
import type { Config } from '@rookery/console/config.ts'
import { addOptions, configOf } from '../flags.ts'
import { birdGreeting, birdIsLate, consoleGreeting } from '../greeting.ts'
import { untilStopped } from '../stop.ts'
import { openFrom } from './open.ts'

const LOCAL_OFFSET = 20_000
const BIRD_PATIENCE_MS = 3_000

export function addUp(program: Command): void {
  const command = program.command('up').description('run the console, the token server and one local Bird')
  addOptions(command).action(async (given: Record<string, unknown>) => {
    const config = configOf(given)
    const { console, log } = await openFrom(config)
    const say = greetTogether(consoleGreeting(console, config.ROOKERY_BOOTSTRAP_KEY !== ''))
    let starting: Promise<RunningBird | undefined> | undefined
    // Whoever reads the greeting may stop it at once.
    const stopped = untilStopped(async () => {
      await (await starting)?.stop()
      await console.stop()
    })
    if (config.ROOKERY_LOCAL_BIRD === 'on') starting = startLocalBird(console, config, log, say)
    else say('')
    process.exitCode = await stopped
  })
}

/** Tells of the console together with its Bird, so that no log line comes between; of the console alone when the Bird takes long. */
function greetTogether(console: string): (bird: string) => undefined {
  let rest = console
  const say = (bird: string): undefined => {
    clearTimeout(late)
    process.stdout.write(rest + bird)
    rest = ''
  }
  const late = setTimeout(() => say(birdIsLate), BIRD_PATIENCE_MS)
  return say
}

/** Starts the Bird beside the console and prints its decoys once they listen; a Bird in trouble leaves the console running. */
async function startLocalBird(
  console: Console,
  config: Config,
  log: Logger,
  say: (bird: string) => void,
): Promise<RunningBird | undefined> {
  const apiUrl = console.apiUrl ?? ''
  let greeted = false
  try {
    const { startBird } = await import('@rookery/bird/start.ts')
    return await startBird({
      consoleUrl: console.linkUrl ?? apiUrl,
      enrol: await console.enrolLocalBird(),
      dataDir: console.folder.bird,
      bind: config.ROOKERY_BIRD_BIND,
      portOffset:
        config.ROOKERY_BIRD_PORT_OFFSET === '' ? LOCAL_OFFSET : Number(config.ROOKERY_BIRD_PORT_OFFSET),
      log: (level, message) => log[level === 'warning' ? 'warn' : level]({ part: 'local bird' }, message),
      onChange: (state) => {
        if (greeted || state.phase !== 'registered' || state.listening.length === 0) return
        greeted = true
        say(birdGreeting(state, config.ROOKERY_BIRD_BIND, apiUrl, console.folder.adminKey))
      },
    })
  } catch (error) {
    say('')
    log.error({ err: error }, 'the local Bird did not start; the console runs without it')
    return undefined
  }
}
