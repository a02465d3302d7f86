// `rookery bird`: a Bird without a console, for a console on another machine.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Option, type Command } from 'commander'
import type { BirdState, ReleaseOptions } from '@rookery/bird/options.ts'
import { decoyAddresses, reachOf } from '@rookery/bird/reach.ts'
import { KEYS_FILE, parseKeys } from '@rookery/link/release/signature.ts'
import { sensorLines } from '../sensor-lines.ts'
import { addOptions, configOf } from '../flags.ts'
import { openLog } from '../log.ts'
import { saveBirdsMemory } from '../memory-saver.ts'
import { supervised } from '../supervisor/supervised.ts'
import { untilStopped } from '../until-stopped.ts'
import { runNote } from '../watchdog/run-note.ts'
import { startWatchdog } from '../watchdog/watchdog.ts'

export function addBird(program: Command): void {
  const command = program
    .command('bird')
    .description('run a Bird for a console')
    .addOption(
      new Option('--console <url>', 'address of the console, such as https://console.example.org')
        .env('ROOKERY_CONSOLE')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--enrol <code>', 'enrolment code of that console: the Bird is commissioned at once').env(
        'ROOKERY_ENROL',
      ),
    )
    // A launcher (packages/bird/src/launcher) gives these.
    .addOption(new Option('--releases <folder>').hideHelp())
    .addOption(new Option('--launcher <path>').hideHelp())
  addOptions(command, [
    'ROOKERY_DATA_DIR',
    'ROOKERY_BIRD_BIND',
    'ROOKERY_BIRD_PORT_OFFSET',
    'ROOKERY_BIRD_IP_STACK',
    'ROOKERY_LOG',
  ]).action(async (flags: Record<string, unknown>) => {
    saveBirdsMemory()
    const tellStarted = supervised()
    const config = configOf(flags)
    const bind = config.ROOKERY_BIRD_BIND || '0.0.0.0'
    const log = openLog(config.ROOKERY_LOG, process.stderr.isTTY)
    const dataDir = join(config.ROOKERY_DATA_DIR, 'bird')
    const note = runNote(dataDir)
    let [printed, isWatched] = ['', false]
    const show = (state: BirdState): void => {
      // Who reads that it runs may end it at once; by then that is noted, and it is started again.
      const text = isWatched || state.phase !== 'registered' ? describeState(state, bind) : printed
      if (text !== printed) process.stdout.write(text)
      printed = text
    }
    const { startBird } = await import('@rookery/bird/start.ts')
    const bird = await startBird({
      consoleUrl: String(flags['console']),
      enrol: (flags['enrol'] as string | undefined) || undefined,
      dataDir,
      bind,
      portOffset: Number(config.ROOKERY_BIRD_PORT_OFFSET || 0),
      setsIpStack: config.ROOKERY_BIRD_IP_STACK === 'claimed',
      unstopped: note.unstopped(),
      releases: releasesOf(flags),
      log: (level, message) => log[level === 'warning' ? 'warn' : level](message),
      onChange: show,
    })
    note.begin()
    startWatchdog({ noteFile: note.path })
    tellStarted()
    const stopped = untilStopped(bird.stop)
    isWatched = true
    show(bird.state())
    const ended = bird.ended.then((ending) => (ending === 'stopped' ? stopped : 0))
    process.exitCode = await Promise.race([stopped, ended])
    if (bird.state().phase === 'updating') relaunch(note.end)
    // The console can end the Bird, too; the signal handlers would keep the process running.
    process.exit()
  })
}

/** How an installed Bird is updated; undefined where no launcher started it, or its package trusts no key. */
function releasesOf(flags: Record<string, unknown>): ReleaseOptions | undefined {
  const { releases: folder, launcher } = flags
  if (typeof folder !== 'string' || typeof launcher !== 'string') return undefined
  if (parseKeys(readFileSync(join(dirname(launcher), KEYS_FILE), 'utf8')).length === 0) return undefined
  return { folder, launcher, running: dirname(process.argv[1] ?? '') }
}

/** The launcher takes the place of this process, and starts the release of `state.json`. */
function relaunch(endNote: () => void): void {
  const own = process.argv.indexOf('--releases')
  const args = process.argv.slice(2, own)
  const [, folder = '', , launcher = ''] = process.argv.slice(own)
  endNote()
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, launcher, folder, ...args])
}

function describeState(
  { phase, pairingPhrase, nodeId, listening, notStanding, sensors }: BirdState,
  bind: string,
): string {
  if (phase === 'pending') return `Waiting to be commissioned. Compare the words: ${pairingPhrase ?? ''}\n`
  if (phase !== 'registered' || listening.length + notStanding.length === 0) return ''
  const ports = listening.map(({ instance, transport, boundPort }) =>
    [instance, ' ', boundPort, transport === 'udp' ? '/udp' : ''].join(''),
  )
  const closed = notStanding.map(({ instance, reason }) => `  ${instance} does not listen: ${reason}\n`)
  const addresses = decoyAddresses(bind)
  const loopback =
    reachOf(bind) === 'own-machine'
      ? '  Only this machine can touch them: start it with --bind 0.0.0.0 for your network.\n'
      : ''
  return `Bird ${nodeId ?? ''} is running on ${addresses.join(', ')}, open ports: ${ports.join(', ') || 'none'}\n${closed.join('')}${sensorLines(sensors)}${loopback}`
}
